/** Where all places are taken, a newcomer takes that of the stranger who has been idle longest. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { Connections, markAuthenticated } from "../../src/http/connections.js";

const PLACES = 3;
const ASK = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

const opened: (Socket | Server)[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) "destroy" in one ? one.destroy() : one.close();
});

async function listen(): Promise<number> {
  const server = createServer();
  const connections = new Connections(server, PLACES);
  server.on(
    "request",
    connections.watching((request, response) => {
      if (request.headers.authorization !== undefined) markAuthenticated(request.socket);
      if (request.url !== "/slow") response.end("answered");
    }),
  );
  opened.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  opened.push(socket);
  await once(socket, "connect");
  return socket;
}

async function asked(socket: Socket, text = ASK): Promise<string> {
  socket.write(text);
  const [chunk] = (await Promise.race([once(socket, "data"), once(socket, "close")])) as [unknown];
  return String(chunk);
}

test("the one that was used longest ago goes", async () => {
  const port = await listen();
  const [first, second, third] = [await open(port), await open(port), await open(port)];
  for (const socket of [first, second, third, first]) expect(await asked(socket)).toContain("answered");
  const closed = once(second, "close");
  expect(await asked(await open(port))).toContain("answered");
  await closed;
  for (const socket of [first, third]) expect(await asked(socket)).toContain("answered");
});

test("who has shown a token, or waits for an answer, stays", async () => {
  const port = await listen();
  const holder = await open(port);
  await asked(holder, ASK.replace("\r\n\r\n", "\r\nAuthorization: Bearer x\r\n\r\n"));
  const waiting = await open(port);
  waiting.write(ASK.replace("GET /", "GET /slow"));
  const silent = await open(port);
  const closed = once(silent, "close");
  expect(await asked(await open(port))).toContain("answered");
  await closed;
  expect(await asked(holder)).toContain("answered");
  expect(waiting.destroyed).toBe(false);
});
