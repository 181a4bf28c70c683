/** What is Node's own: https, http2, and errors where there is no framework; and that its types fit: this file is compiled. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, createServer as createHttp2Server, type Http2ServerRequest } from "node:http2";
import { createServer as createHttpsServer, request as requestHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { gate } from "../../src/adapters/node/node.js";
import { sluiceAt } from "../sluice-at.js";
import { listening, type RunningApp } from "./app.js";
import { ask, once, statuses } from "./ask.js";

const running: RunningApp[] = [];
afterEach(async () => {
  for (const app of running.splice(0)) await app.close();
});

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function portOf(handler: Handler): Promise<number> {
  const server = await listening(createServer(handler), "127.0.0.1");
  running.push(server);
  return server.port;
}

const hello: Handler = (_request, response) => void response.end("hello");

describe("an error", () => {
  const broken = { facts: { user: () => Promise.reject(new Error("broken")) } };

  test("is answered with 500, and said once where nobody listens", async () => {
    const warnings: string[] = [];
    const guarded = gate("user:1/m", { ...broken, onWarning: (message) => warnings.push(message) })(hello);
    const port = await portOf(guarded);
    const { status, headers, body } = await ask(port);
    expect({ status, body: JSON.parse(body) }).toEqual({
      status: 500,
      body: { type: "about:blank", title: "Internal Server Error", status: 500 },
    });
    expect(headers).toMatchObject({
      "content-type": "application/problem+json",
      "cache-control": "no-store",
    });
    expect(await statuses(port, 1)).toEqual([500]);
    expect(warnings).toEqual([expect.stringMatching(/answered with 500: broken .*onError/)]);
  });

  test("of the one who is told of errors ends nothing", async () => {
    const onError = vi.fn(() => {
      throw new Error("also broken");
    });
    const port = await portOf(gate("user:1/m", { ...broken, onError })(hello));
    expect(await statuses(port, 2)).toEqual([500, 500]);
    expect(onError).toHaveBeenCalledTimes(2);
  });

  test("after somebody else has answered changes nothing", async () => {
    const told = once<unknown>();
    const decided = once<never>();
    const facts = { user: () => decided.promise };
    const guarded = gate("user:1/m", { facts, onError: told.resolve })(hello);
    const port = await portOf((request, response) => {
      guarded(request, response);
      response.writeHead(202).end("accepted");
    });
    expect(await ask(port)).toMatchObject({ status: 202, body: "accepted" });
    decided.resolve(Promise.reject(new Error("late")) as never);
    expect(await told.promise).toMatchObject({ message: "late" });
  });
});

describe("a refusal", () => {
  test("of what somebody else has answered is silent, and the handler is not asked", async () => {
    const user = once<string>();
    const decided: boolean[] = [];
    const handler = vi.fn(hello);
    const guarded = gate("user:1/m", {
      facts: { user: () => user.promise },
      onDecision: ({ allowed }) => decided.push(allowed),
    })(handler);
    const port = await portOf((request, response) => {
      guarded(request, response);
      response.writeHead(202).end("accepted");
    });
    expect(await statuses(port, 2)).toEqual([202, 202]);
    user.resolve("ada");
    await vi.waitFor(() => expect(decided).toEqual([true, false]));
    expect(handler).toHaveBeenCalledTimes(1);
  });
});

describe("https", () => {
  test("counts by the address of the socket", async () => {
    /** With a shared key in place of certificates. */
    const psk = { psk: Buffer.alloc(32, 1), identity: "test" };
    const security = { ciphers: "PSK", maxVersion: "TLSv1.2" } as const;
    const server = createHttpsServer({ ...security, pskCallback: () => psk.psk }, gate("ip:1/m")(hello));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as AddressInfo;
    const status = () =>
      new Promise<number | undefined>((resolve, reject) => {
        const options = {
          ...security,
          pskCallback: () => psk,
          checkServerIdentity: () => undefined,
          host: "127.0.0.1",
          port,
          agent: false,
        };
        requestHttps(options, (response) => resolve(response.resume().statusCode))
          .once("error", reject)
          .end();
      });
    expect([await status(), await status()]).toEqual([200, 429]);
    server.closeAllConnections();
    server.close();
  });
});

describe("http2", () => {
  test("passes, refuses and settles as http does", async () => {
    const told: { readonly status: number; readonly aborted: boolean }[] = [];
    const server = createHttp2Server(
      gate("ip:2/m", {
        sluice: sluiceAt(0).sluice,
        settle({ status, aborted }) {
          told.push({ status, aborted });
          return aborted ? 0 : 1;
        },
      })((request: Http2ServerRequest, response) => {
        if (request.url === "/slow") response.write("one");
        else response.end("hello");
      }),
    );
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const open = (path: string) => {
      const stream = session.request({ ":path": path });
      stream.on("error", () => undefined);
      return new Promise<{ stream: typeof stream; status: number | undefined; headers: object }>(
        (resolve) => {
          stream.once("response", (headers) => resolve({ stream, status: headers[":status"], headers }));
        },
      );
    };
    const passed = await open("/");
    expect(passed).toMatchObject({ status: 200, headers: { ratelimit: '"ip:2/m";r=1;t=60' } });
    passed.stream.resume();
    const slow = await open("/slow");
    slow.stream.close(8);
    await vi.waitFor(() => expect(told).toHaveLength(2));
    expect(told).toEqual([
      { status: 200, aborted: false },
      { status: 200, aborted: true },
    ]);
    expect((await open("/")).status).toBe(200);
    expect(await open("/")).toMatchObject({ status: 429, headers: { "retry-after": "60" } });
    session.destroy();
    server.close();
  });
});

/** Compiled, not called. */
export function typesOfNode(): void {
  createServer(gate("ip:100/m")((request, response) => response.end(request.url ?? "/")));
  createHttpsServer(
    {},
    gate("ip:100/m", { trust: 1 })((request, response) => response.end(request.url ?? "/")),
  );
  createHttp2Server(gate("ip:100/m")((request, response) => response.end(request.url ?? "/")));
  createServer(
    gate<IncomingMessage, ServerResponse>("user:5/m", {
      facts: { user: ({ headers }) => headers.authorization },
      settle: ({ native }) => (native.hasHeader("x-cached") ? 0 : 1),
    })(async (request, response) => response.end(request.url ?? "/")),
  );
}
