/** A client that is still connecting when the first call comes is waited for, but not for ever. */
import * as ioredis5 from "ioredis-5";
import * as redis5 from "redis-5";
import { describe, expect, test } from "vitest";
import { createSluice } from "../../src/limiter/sluice.js";
import { freePort, HOST } from "../redis-servers/free-port.js";
import { callAll, callFor, DEADLINE_MS, longestMs, recoveryMs, TOLERANCE_MS } from "./calls.js";
import { expectNoStrays } from "./strays.js";
import { reasonsOf, startTrial, watchedStore } from "./trial.js";

expectNoStrays();

interface Opening {
  readonly name: string;
  /** Does not wait for the connection. */
  open(port: number): { readonly client: object; close(): unknown };
}

const OPENINGS: readonly Opening[] = [
  {
    name: "ioredis, just made",
    open(port) {
      const client = new ioredis5.Redis({ host: HOST, port });
      client.on("error", () => {});
      return { client, close: () => client.disconnect() };
    },
  },
  {
    name: "ioredis that connects when first used",
    open(port) {
      const client = new ioredis5.Redis({ host: HOST, port, lazyConnect: true });
      client.on("error", () => {});
      return { client, close: () => client.disconnect() };
    },
  },
  {
    name: "node-redis, told to connect",
    open(port) {
      const client = redis5.createClient({ socket: { host: HOST, port } });
      client.on("error", () => {});
      client.connect().catch(() => {});
      return { client, close: () => client.destroy() };
    },
  },
];

describe.each(OPENINGS)("$name", ({ open }) => {
  test("is waited for", async ({ onTestFinished }) => {
    const { server, stop } = await startTrial();
    onTestFinished(stop);
    const { client, close } = open(server.port);
    onTestFinished(() => void close());
    const { store, errors } = watchedStore(client, { deadlineMs: 10_000 });
    const limiter = createSluice({ store }).limit("user:2/w");
    const answers = await Promise.all([limiter.consume({ user: "1" }), limiter.consume({ user: "1" })]);
    expect(answers).toMatchObject([
      { remaining: 1, source: "store" },
      { remaining: 0, source: "store" },
    ]);
    expect(errors).toEqual([]);
  });

  test("is waited for until the deadline where nobody answers", async ({ onTestFinished }) => {
    const { relay, stop } = await startTrial();
    onTestFinished(stop);
    relay.fallSilent();
    const { client, close } = open(relay.port);
    onTestFinished(() => void close());
    const { store, errors } = watchedStore(client);
    const limiter = createSluice({ store }).limit("user:2/w");
    const calls = await callAll(DEADLINE_MS, [() => limiter.consume({ user: "1" })]);
    expect(longestMs(calls)).toBeLessThanOrEqual(DEADLINE_MS + TOLERANCE_MS);
    expect(calls[0]!.tookMs).toBeGreaterThan(DEADLINE_MS - 2);
    expect(calls[0]!.decision).toMatchObject({ remaining: 1, source: "fallback" });
    expect(reasonsOf(errors)).toEqual({ deadline: 1 });
  });

  test("is given no more once it was waited for in vain", async ({ onTestFinished }) => {
    const { relay, stop } = await startTrial();
    onTestFinished(stop);
    relay.fallSilent();
    const { client, close } = open(relay.port);
    onTestFinished(() => void close());
    const { store } = watchedStore(client);
    const limiter = createSluice({ store }).limit("user:2/w");
    await callFor(limiter, 800, []);
    const { batches } = store.health();
    await callFor(limiter, 800, []);
    expect(store.health().batches).toBe(batches);
  });

  test("finds the server that is started later", async ({ onTestFinished }) => {
    const { relay, server, stop } = await startTrial();
    onTestFinished(stop);
    await server.kill();
    const { client, close } = open(relay.port);
    onTestFinished(() => void close());
    const { store } = watchedStore(client);
    const limiter = createSluice({ store }).limit("user:2/w");
    expect(await limiter.consume({ user: "1" })).toMatchObject({ source: "fallback" });
    await server.restart();
    expect(await recoveryMs(limiter)).toBeLessThanOrEqual(2_000);
  });
});

test("node-redis that was not told to connect is not waited for", async () => {
  const client = redis5.createClient({ socket: { host: HOST, port: await freePort() } });
  const { store, errors } = watchedStore(client);
  const limiter = createSluice({ store }).limit("user:2/w");
  const calls = await callAll(DEADLINE_MS, [() => limiter.consume({ user: "1" })]);
  expect(longestMs(calls)).toBeLessThanOrEqual(TOLERANCE_MS);
  expect(calls[0]!.decision).toMatchObject({ remaining: 1, source: "fallback" });
  expect(reasonsOf(errors)).toEqual({ "not connected": 1 });
});
