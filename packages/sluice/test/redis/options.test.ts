/** What redisStore refuses: clients it does not know, and options that cannot be meant. */
import { describe, expect, test } from "vitest";
import { BadOption } from "../../src/errors.js";
import type { AnyRedisClient } from "../../src/store/redis/recognize.js";
import { type RedisStoreOptions, redisStore } from "../../src/store/redis/redis-store.js";

const CLIENT: AnyRedisClient = { status: "wait", call: () => Promise.reject(new Error("nobody asks")) };

describe("a client that is of no known library", () => {
  test.each([
    ["nothing", undefined],
    ["null", null],
    ["an object", {}],
    ["an array", []],
    ["text", "redis://127.0.0.1:6379"],
    ["a function", () => {}],
    ["half an ioredis", { call: () => {} }],
    ["half a node-redis", { sendCommand: () => {} }],
    ["an ioredis whose call is no function", { call: true, status: "ready" }],
    ["a promise of a client", Promise.resolve(CLIENT)],
  ])("%s is refused, and the message names the libraries", (_, client) => {
    const create = () => redisStore(client as AnyRedisClient);
    expect(create).toThrow(BadOption);
    for (const library of ["ioredis", "iovalkey", "node-redis", "valkey-glide"])
      expect(create).toThrow(library);
  });
});

describe("an option that cannot be meant", () => {
  test.each([
    ["deadlineMs", 0],
    ["deadlineMs", -1],
    ["deadlineMs", 1.5],
    ["deadlineMs", Number.NaN],
    ["deadlineMs", Number.POSITIVE_INFINITY],
    ["deadlineMs", 60_001],
    ["deadlineMs", "250"],
    ["deadlineMs", null],
    ["onFailure", "maybe"],
    ["onFailure", ""],
    ["onFailure", true],
    ["maxWaiting", -1],
    ["maxWaiting", 0],
    ["maxWaiting", 2.5],
    ["maxWaiting", "many"],
    ["onError", "log"],
    ["clock", 1_700_000_000_000_000],
    ["deadline", 250],
    ["toString", 1],
  ])("%s: %j is refused by its name", (name, value) => {
    const create = () => redisStore(CLIENT, { [name]: value } as RedisStoreOptions);
    expect(create).toThrow(BadOption);
    expect(create).toThrow(name);
  });

  test.each([
    ["null", null],
    ["text", "fast"],
    ["a list", []],
  ])("%s instead of options is refused", (_, options) => {
    expect(() => redisStore(CLIENT, options as unknown as RedisStoreOptions)).toThrow(BadOption);
  });

  test("what is left out or undefined is not refused", () => {
    const none: RedisStoreOptions = {
      deadlineMs: undefined,
      onFailure: undefined,
      onError: undefined,
      clock: undefined,
    };
    expect(() => redisStore(CLIENT, none)).not.toThrow();
    expect(() => redisStore(CLIENT, { deadlineMs: 60_000, onFailure: "deny", maxWaiting: 1 })).not.toThrow();
  });
});
