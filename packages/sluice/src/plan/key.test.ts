import fc from "fast-check";
import { expect, test } from "vitest";
import { toRule } from "../rule/input.js";
import { keyPart } from "./key.js";
import { keysOf } from "./plan.js";
import { createPlanner } from "./planner.js";

test.each([
  ["user-42@example.org", "user-42@example.org"],
  ["a:b", "a%3Ab"],
  ["{tag}", "%7Btag%7D"],
  ["50%", "50%25"],
  ["*?[a]", "%2A%3F%5Ba%5D"],
  ["#", "%23"],
  ["a+b, c", "a%2Bb%2C%20c"],
  ["\u0000\n", "%00%0A"],
  ["é", "%C3%A9"],
  ["👋", "%F0%9F%91%8B"],
  ["\ud800", "%uD800"],
  ["", ""],
])("%j becomes %j", (text, part) => {
  expect(keyPart(text)).toBe(part);
});

test("long text becomes a hash of fixed length", () => {
  expect(keyPart("x".repeat(200))).toBe("x".repeat(200));
  expect(keyPart("x".repeat(201))).toMatch(/^#[0-9a-f]{64}$/);
  expect(keyPart("é".repeat(100))).toMatch(/^#[0-9a-f]{64}$/);
  expect(keyPart("x".repeat(1_000_000))).toMatch(/^#[0-9a-f]{64}$/);
});

/** Hostile pieces, whole and broken surrogates, and pieces of our own escapes. */
const MEGABYTE = "m".repeat(2 ** 20);
const nasty = fc.oneof(
  { weight: 300, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      MEGABYTE,
      `${MEGABYTE}m`,
      `#${keyPart(MEGABYTE).slice(1)}`,
      `%23${keyPart(MEGABYTE).slice(1)}`,
    ),
  },
  {
    weight: 300,
    arbitrary: fc
      .array(
        fc.constantFrom(
          "a",
          "b",
          ":",
          "{",
          "}",
          "%",
          "%25",
          "%3A",
          "+",
          "#",
          "*",
          "?",
          "[",
          "\u0000",
          "\ud800",
          "\udc00",
          "é",
          "u",
          "user",
          "ip",
          "x".repeat(150),
        ),
        {
          maxLength: 6,
        },
      )
      .map((pieces) => pieces.join("")),
  },
);

const RULES = ["user:5/m", "ip:5/m", "user+ip:5/m", "ip+user:5/m", "5/m", "user:5/m gcra"].map(toRule);

interface Counted {
  readonly rule: number;
  readonly namespace: string;
  readonly key: string;
  readonly user: string;
  readonly ip: string;
}

const counted: fc.Arbitrary<Counted> = fc.record({
  rule: fc.nat({ max: RULES.length - 1 }),
  namespace: fc.constantFrom("a", "b", "a:b", "{a}"),
  key: fc.oneof(fc.constantFrom("", "a", "user", ":"), nasty),
  user: nasty.filter((text) => text !== ""),
  ip: nasty.filter((text) => text !== ""),
});

/** What is counted apart: the namespace, the limiter's key, and the values that the rule counts by. */
function meaning({ rule, namespace, key, user, ip }: Counted): string {
  const values = [[user], [ip], [user, ip], [ip, user], [], [user]][rule];
  return JSON.stringify([rule, namespace, key, values]);
}

function redisKey({ rule, namespace, key, user, ip }: Counted): string {
  const planner = createPlanner(RULES[rule]!, { namespace, key, countRefused: false });
  return keysOf(planner({ facts: { user, ip } }, 1))[0]!;
}

test("two different facts never make one key, and no fact gets out of its part", () => {
  const seen = new Map<string, string>();
  fc.assert(
    fc.property(counted, counted, (one, other) => {
      const [oneKey, otherKey] = [redisKey(one), redisKey(other)];
      for (const [each, key] of [
        [one, oneKey],
        [other, otherKey],
      ] as const) {
        expect(key).toMatch(/^[A-Za-z0-9_.@%#-]+:\{[A-Za-z0-9_.@%#+:-]+\}:[A-Za-z0-9_.@%#:,-]*$/);
        expect(key.length).toBeLessThan(1_000);
        const known = seen.get(key) ?? meaning(each);
        expect(meaning(each)).toBe(known);
        seen.set(key, known);
      }
      expect(oneKey === otherKey).toBe(meaning(one) === meaning(other));
    }),
    { numRuns: 10_000 },
  );
});

test("keys read as documented", () => {
  const key = (rule: string, facts: Record<string, string>) =>
    keysOf(
      createPlanner(toRule(rule), { namespace: "shop", key: "login", countRefused: false })({ facts }, 1),
    )[0];
  expect(key("user:10/5m", { user: "42" })).toBe("shop:{user:42}:login:sliding-log2,10,300000000");
  expect(key("user+ip:10/s burst 20", { user: "4:2", ip: "::1" })).toBe(
    "shop:{user+ip:4%3A2+%3A%3A1}:login:gcra2,10,1000000,20",
  );
  expect(key("100/h:1m", {})).toBe("shop:{:login}:sliding-window2,100,3600000000,60000000");
});
