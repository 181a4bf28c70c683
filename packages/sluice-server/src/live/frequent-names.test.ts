import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FrequentNames } from "./frequent-names.js";

function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function sketchOf(names: readonly string[], capacity: number): FrequentNames {
  const sketch = new FrequentNames(capacity);
  for (const name of names) sketch.add(name);
  return sketch;
}

/** Few names often and many seldom, as traffic is. */
const streams = fc.array(
  fc.oneof(fc.integer({ max: 5, min: 0 }), fc.integer({ max: 200, min: 0 })).map(String),
  {
    maxLength: 2000,
  },
);

describe("against exact counts", () => {
  test("no count is too low, nor too high by more than the error it states", () => {
    fc.assert(
      fc.property(streams, fc.integer({ min: 1, max: 20 }), (names, capacity) => {
        const sketch = sketchOf(names, capacity);
        const exact = countsOf(names);
        for (const { name, count } of sketch.entries()) {
          expect(count).toBeGreaterThanOrEqual(exact.get(name)!);
          expect(count).toBeLessThanOrEqual(exact.get(name)! + sketch.errorAtMost);
        }
      }),
    );
  });

  test("whoever came more often than one time in the capacity is there", () => {
    fc.assert(
      fc.property(streams, fc.integer({ min: 1, max: 20 }), (names, capacity) => {
        const sketch = sketchOf(names, capacity);
        for (const [name, count] of countsOf(names)) {
          if (count > names.length / capacity) expect(sketch.get(name)).toBeDefined();
        }
      }),
    );
  });

  test("with room for all, it is exact", () => {
    fc.assert(
      fc.property(streams, (names) => {
        const sketch = sketchOf(names, 1000);
        expect(sketch.errorAtMost).toBe(0);
        expect(new Map(sketch.entries().map(({ name, count }) => [name, count]))).toEqual(countsOf(names));
      }),
    );
  });
});

test("a million names take no more than the capacity", () => {
  const sketch = new FrequentNames(100);
  for (let index = 0; index < 1_000_000; index += 1) sketch.add(`name ${index}`);
  expect(sketch.entries()).toHaveLength(100);
  expect(sketch.errorAtMost).toBe(10_000);
});
