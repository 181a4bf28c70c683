/** The URLs of stores, and what is said of those that are none. */
import { describe, expect, test } from "vitest";
import { describeStore, parseStoreUrl, type RedisAddress, StoreUrlError } from "../../src/store/store-url.js";

const NOBODY = { username: undefined, password: undefined };
const PLAIN = { kind: "single", tls: false, login: NOBODY, name: undefined, db: 0 } as const;

test.each<[string, Partial<RedisAddress>]>([
  ["redis://host", { hosts: [{ host: "host", port: 6379 }] }],
  ["redis://host:7000/", { hosts: [{ host: "host", port: 7000 }] }],
  ["redis://[::1]:7000/3", { hosts: [{ host: "::1", port: 7000 }], db: 3 }],
  ["rediss://host", { tls: true, hosts: [{ host: "host", port: 6379 }] }],
  [
    "redis://me:pass@host",
    { login: { username: "me", password: "pass" }, hosts: [{ host: "host", port: 6379 }] },
  ],
  [
    "redis://:p%40ss%2F@host",
    { login: { username: undefined, password: "p@ss/" }, hosts: [{ host: "host", port: 6379 }] },
  ],
  [
    "redis://:p@ss/w:rd@host",
    { login: { username: undefined, password: "p@ss/w:rd" }, hosts: [{ host: "host", port: 6379 }] },
  ],
  [
    "redis-cluster://a:1,b:2",
    {
      kind: "cluster",
      hosts: [
        { host: "a", port: 1 },
        { host: "b", port: 2 },
      ],
    },
  ],
  [
    "rediss-cluster://:x@a",
    {
      kind: "cluster",
      tls: true,
      login: { username: undefined, password: "x" },
      hosts: [{ host: "a", port: 6379 }],
    },
  ],
  [
    "redis-sentinel://a,b:2/mymaster/5",
    {
      kind: "sentinel",
      hosts: [
        { host: "a", port: 26379 },
        { host: "b", port: 2 },
      ],
      name: "mymaster",
      db: 5,
    },
  ],
])("%s", (url, expected) => {
  expect(parseStoreUrl(url)).toEqual({ ...PLAIN, ...expected });
});

test("memory", () => expect(parseStoreUrl("memory")).toEqual({ kind: "memory" }));

describe("no store", () => {
  test.each([
    ["", 'A store is "memory" or a URL such as redis://127.0.0.1:6379.'],
    ["Memory", 'Did you mean "memory"?'],
    ["localhost:6379", 'A store is "memory" or a URL'],
    ["http://host", "A store's URL begins with one of redis://, rediss://"],
    ["reds://host", 'Did you mean "redis"?'],
    ["redis://", "needs a host"],
    ["redis://host:port", "a port that is a number"],
    ["redis://host:0", "ports from 1 to 65535"],
    ["redis://host:70000", "ports from 1 to 65535"],
    ["redis://host/zero", "a number for its database"],
    ["redis://host/1/2", "ends after the database"],
    ["redis://host?tls=1", "no options behind a ?"],
    ["redis://a,b", "several are a redis-cluster://"],
    ["redis-cluster://a/1", "a Cluster has only one"],
    ["redis-sentinel://a", "needs the name that the Sentinels have"],
    ["redis://%zz@host", "write %25 for the sign itself"],
  ])("%s", (url, words) => {
    expect(() => parseStoreUrl(url)).toThrow(StoreUrlError);
    expect(() => parseStoreUrl(url)).toThrow(words);
  });
});

test.each([
  "redis://me:geheim@host:x",
  "redis://geheim:x",
  "redis://:geheim@",
  "redis://:geheim@a,b",
  "redis://geheim/x/y",
  "redis-sentinel://:geheim@a",
  "redis://:geh%eim@host",
  "geheim",
])("the message on %s holds nothing of it that may be a secret", (url) => {
  try {
    parseStoreUrl(url);
    expect.unreachable();
  } catch (error) {
    expect(String(error)).not.toContain("geheim");
    expect(String(error)).not.toContain("geh%eim");
  }
});

test.each([
  ["memory", "memory"],
  ["redis://me:geheim@host", "redis://host:6379"],
  ["rediss://:geheim@[::1]:1/2", "rediss://[::1]:1/2"],
  ["redis-cluster://:geheim@a,b:2", "redis-cluster://a:6379,b:2"],
  ["redis-sentinel://:geheim@a/mymaster/3", "redis-sentinel://a:26379/mymaster/3"],
])("%s is described as %s", (url, description) => {
  expect(describeStore(parseStoreUrl(url))).toBe(description);
});
