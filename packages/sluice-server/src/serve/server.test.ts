import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { Config } from "../config/config.js";
import { type Server, type ServerOptions, startServer } from "./server.js";

const CONFIG: Config = {
  namespace: "test",
  store: { url: "memory" },
  tokens: [],
  limits: new Map([["all", { rule: "5/m" }]]),
};
const ANYWHERE = { host: "127.0.0.1", port: 0 };
const log = { info() {}, warn() {}, error() {} };

function options(more: Partial<ServerOptions> = {}): ServerOptions {
  const places = { resp: ANYWHERE, http: ANYWHERE };
  return { config: CONFIG, store: undefined, ...places, openToEveryone: false, version: "0", log, ...more };
}

let server: Server | undefined;
afterEach(() => server?.close());

const at = (host: string) => ({ host, port: 0 });

/** One of both is enough, and a name may stand for any address. */
test.each([
  [at("0.0.0.0"), ANYWHERE],
  [ANYWHERE, at("::")],
  [at("example.org"), at("::1")],
])("without tokens it does not listen beyond loopback: %j, %j", async (resp, http) => {
  await expect(startServer(options({ resp, http }))).rejects.toThrow("whoever asks must have a token");
});

test.each([
  ["a name that nobody knows", "nobody.invalid", "nobody.invalid:0 is not known by name"],
  ["an address of another machine", "192.0.2.7", "192.0.2.7:0 is no address of this machine"],
])("%s", async (_, host, words) => {
  const openToEveryone = true;
  const [resp, http] = [{ resp: at(host) }, { http: at(host) }];
  await expect(startServer(options({ openToEveryone, ...resp }))).rejects.toThrow(
    `${words}; choose another with --resp HOST:PORT.`,
  );
  await expect(startServer(options({ openToEveryone, ...http }))).rejects.toThrow(
    `${words}; choose another with --http HOST:PORT.`,
  );
});

test("where HTTP cannot listen, RESP does not go on listening", async () => {
  const [taken, free] = [createServer(), createServer()];
  for (const one of [taken, free]) await once(one.listen(0, "127.0.0.1"), "listening");
  const placeOf = (one: typeof taken) => ({ ...ANYWHERE, port: (one.address() as AddressInfo).port });
  const places = { resp: placeOf(free), http: placeOf(taken) };
  await once(free.close(), "close");
  await expect(startServer(options(places))).rejects.toThrow("is taken by another program");
  await once(free.listen(places.resp.port, "127.0.0.1"), "listening");
  for (const one of [taken, free]) one.close();
});

test("a configuration is taken as a whole or not at all", async () => {
  server = await startServer(options());
  const bad = new Map([
    ["good", { rule: "1/s" }],
    ["bad", { rule: "no rule" }],
  ]);
  const taking = () => server?.reconfigure({ ...CONFIG, tokens: ["a-long-random-text"], limits: bad });
  expect(taking).toThrow();
  expect(server.needsToken).toBe(false);
  expect(server.limits.all().map(({ name }) => name)).toEqual(["all"]);
});

test("closing twice is closing once", async () => {
  const closing = await startServer(options());
  await Promise.all([closing.close(), closing.close()]);
  await closing.close();
});
