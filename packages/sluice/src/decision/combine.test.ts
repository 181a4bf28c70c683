import fc from "fast-check";
import { expect, test } from "vitest";
import type { Verdict } from "../algorithm/algorithm.js";
import { admits, DOES_NOT_APPLY, type Tree } from "../plan/plan.js";
import { combine, refusing, UNLIMITED } from "./combine.js";

const duration = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(Number.POSITIVE_INFINITY));
const verdict: fc.Arbitrary<Verdict> = fc
  .record({
    allowed: fc.boolean(),
    remaining: fc.nat({ max: 9 }),
    retry: duration,
    resetAfterMs: fc.nat({ max: 30 }),
  })
  .map(({ retry, ...rest }) => ({ ...rest, retryAfterMs: rest.allowed ? 0 : retry }));

const CHECKS = 6;
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.integer({ min: DOES_NOT_APPLY, max: CHECKS - 1 }),
    fc.record({
      kind: fc.constantFrom("and" as const, "or" as const),
      parts: fc.array(tie("tree"), { minLength: 1, maxLength: 4 }),
    }),
  ),
}));

/** The tree read aloud: is it over, when is it not any more, how many pass. No shared code, only the words. */
function read(node: Tree, verdicts: readonly Verdict[]): Verdict {
  if (typeof node === "number") return verdicts[node] ?? UNLIMITED;
  const parts = node.parts.map((part) => read(part, verdicts));
  const numbers = (field: "remaining" | "retryAfterMs" | "resetAfterMs") =>
    parts.map((part) => part[field]).sort((a, b) => a - b);
  const smallest = (field: "remaining" | "retryAfterMs") => numbers(field)[0]!;
  const largest = (field: "remaining" | "retryAfterMs" | "resetAfterMs") => numbers(field).at(-1)!;
  const over = parts.filter((part) => !part.allowed).length;
  return node.kind === "or"
    ? {
        allowed: over === 0,
        remaining: smallest("remaining"),
        retryAfterMs: largest("retryAfterMs"),
        resetAfterMs: largest("resetAfterMs"),
      }
    : {
        allowed: over < parts.length,
        remaining: largest("remaining"),
        retryAfterMs: smallest("retryAfterMs"),
        resetAfterMs: largest("resetAfterMs"),
      };
}

test("follows the tree, for random trees", () => {
  fc.assert(
    fc.property(tree, fc.array(verdict, { minLength: CHECKS, maxLength: CHECKS }), (node, verdicts) => {
      const expected = read(node, verdicts);
      expect(combine(node, verdicts)).toEqual(expected);
      expect(admits(node, verdicts)).toBe(expected.allowed);
    }),
    { numRuns: 10_000 },
  );
});

test("the refusing checks are enough to refuse, and none is named that lets pass", () => {
  fc.assert(
    fc.property(tree, fc.array(verdict, { minLength: CHECKS, maxLength: CHECKS }), (node, verdicts) => {
      const refused = !read(node, verdicts).allowed;
      const named = new Set(refusing(node, verdicts));
      expect(named.size > 0).toBe(refused);
      for (const check of named) expect(verdicts[check]!.allowed).toBe(false);
      const onlyNamed = verdicts.map((each, index) => ({ ...each, allowed: !named.has(index) }));
      expect(read(node, onlyNamed).allowed).toBe(!refused);
    }),
    { numRuns: 10_000 },
  );
});

test("retry and refusal agree: refused iff there is something to wait for", () => {
  fc.assert(
    fc.property(tree, fc.array(verdict, { minLength: CHECKS, maxLength: CHECKS }), (node, verdicts) => {
      const { allowed, retryAfterMs } = combine(node, verdicts);
      expect(retryAfterMs > 0).toBe(!allowed);
    }),
  );
});
