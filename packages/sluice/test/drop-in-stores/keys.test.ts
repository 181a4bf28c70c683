/** Whatever a middleware takes for a key, it has a counter of its own; what is no key is an error. */
import { describe, expect, inject, test } from "vitest";
import { BadFact } from "../../src/plan/facts.js";
import { MissingSelector } from "../../src/plan/selectors.js";
import { memoryStore } from "../../src/store/memory/memory-store.js";
import type { Store } from "../../src/store/store.js";
import { freshNamespace } from "../../src/testing/run-scenario.js";
import { connections, storeOn } from "../redis/connections.js";
import { DROP_IN_STORES } from "./all-stores.js";

const redis = connections();
const STORES: readonly [string, () => Promise<Store>][] = [
  ["memory", async () => memoryStore()],
  ["Redis", async () => storeOn(await redis.open("single", inject("servers")))],
];
const HOUR = 3_600_000;

const KEYS = [
  ["", " ", "ada", "Ada", "ada ", "ada+bob", "ada:bob", "ada,bob", "{ada}", "}:{", "*", "?", "%", "%20", "#"],
  [
    "null",
    "undefined",
    "0",
    "-1",
    "__proto__",
    "constructor",
    "toString",
    "rule",
    "key",
    "default",
    "handler",
  ],
  ["\0", "\n", "\r\n", "\u202e", "é", "e\u0301", "\ud800", "\udc00", "💧", "127.0.0.1", "2001:db8::/56"],
  ["x".repeat(200), "x".repeat(201), "x".repeat(100_000), `${"x".repeat(100_000)}y`, " ".repeat(201)],
].flat();

describe.each(DROP_IN_STORES)("$name", ({ open }) => {
  test.each(STORES)("on %s, each key counts alone", async (_, create) => {
    const hit = open({ store: await create(), namespace: freshNamespace() }, 1_000, HOUR);
    const rounds = KEYS.flatMap((key, index) => Array<string>((index % 5) + 1).fill(key));
    const counts = new Map<string, number>();
    for (const key of rounds) counts.set(key, await hit(key));
    expect([...counts.values()]).toEqual(KEYS.map((_, index) => (index % 5) + 1));
  });

  test.each([undefined, null])("%s is not a key", async (key) => {
    const hit = open({}, 10, HOUR);
    await expect(hit(key as unknown as string)).rejects.toThrow(MissingSelector);
  });

  test.each([{}, ["ada"], Number.NaN, Symbol("ada")])("nor is %o", async (key) => {
    const hit = open({}, 10, HOUR);
    await expect(hit(key as unknown as string)).rejects.toThrow(BadFact);
  });

  test("a number is its text", async () => {
    const hit = open({}, 10, HOUR);
    expect([await hit("42"), await hit(42 as unknown as string)]).toEqual([1, 2]);
  });

  test("one store shared by all of them counts apart", async () => {
    const store = memoryStore();
    for (const { open } of DROP_IN_STORES) expect(await open({ store }, 10, HOUR)("ada")).toBe(1);
  });
});
