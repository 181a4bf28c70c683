/** A relay in front of a server, which a test may make silent, or let lose replies, as a bad network would. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { Address } from "../redis-servers/clients.js";
import { freePort, HOST } from "../redis-servers/free-port.js";

export interface Relay extends Address {
  /** Connections are accepted and stay open, and no byte passes. */
  fallSilent(): void;
  /** Requests reach the server, and its replies reach nobody. */
  loseReplies(): void;
  /** Everything passes again, on connections made from now on. */
  pass(): void;
  /** Ends all connections. */
  cut(): void;
  stop(): Promise<void>;
}

export async function startRelay(server: Address): Promise<Relay> {
  const sockets = new Set<Socket>();
  let requestsPass = true;
  let repliesPass = true;

  function watched(socket: Socket): Socket {
    sockets.add(socket);
    return socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  }

  const listener = createServer((client) => {
    watched(client);
    const upstream = watched(connect(server.port, server.host));
    client.on("data", (bytes) => requestsPass && upstream.write(bytes)).on("close", () => upstream.destroy());
    upstream.on("data", (bytes) => repliesPass && client.write(bytes)).on("close", () => client.destroy());
  });
  const port = await freePort();
  await once(listener.listen(port, HOST), "listening");

  function cut(): void {
    for (const socket of sockets) socket.destroy();
  }

  return {
    host: HOST,
    port,
    fallSilent() {
      requestsPass = repliesPass = false;
    },
    loseReplies() {
      repliesPass = false;
    },
    pass() {
      requestsPass = repliesPass = true;
    },
    cut,
    async stop() {
      const closed = once(listener.close(), "close");
      cut();
      await closed;
    },
  };
}
