/** The fullest window, against the most obvious way to find it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { WindowPeak } from "../../src/simulate/window-peak.js";

interface Admitted {
  readonly at: number;
  readonly cost: number;
}

function bruteForce(admitted: readonly Admitted[], length: number): number {
  return Math.max(
    0,
    ...admitted.map(({ at: end }) =>
      admitted.filter(({ at }) => at <= end && at > end - length).reduce((sum, { cost }) => sum + cost, 0),
    ),
  );
}

function peakOf(admitted: readonly Admitted[], length: number) {
  const peak = new WindowPeak(length);
  for (const { at, cost } of admitted) peak.add(at, cost);
  return peak.peak;
}

test.each([
  [[], 10, 0],
  [[5], 10, 1],
  [[0, 9], 10, 2],
  [[0, 10], 10, 1],
  [[3, 3, 3], 1, 3],
  [[0, 1, 2, 10, 11, 12, 13, 20], 5, 4],
])("%j in windows of %i", (instants, length, most) => {
  expect(
    peakOf(
      instants.map((at) => ({ at, cost: 1 })),
      length,
    ).units,
  ).toBe(most);
});

test("is that of brute force, and stands where it says", () => {
  const gaps = fc.array(fc.record({ gap: fc.nat(12), cost: fc.integer({ min: 1, max: 5 }) }), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 40 }), (steps, length) => {
      let now = 0;
      const admitted = steps.map(({ gap, cost }) => {
        now += gap;
        return { at: now, cost };
      });
      const { units, from, until } = peakOf(admitted, length);
      expect(units).toBe(bruteForce(admitted, length));
      if (units === 0) return;
      expect(until - from).toBeLessThan(length);
      const inside = admitted.filter(({ at }) => at >= from && at <= until);
      expect(inside.reduce((sum, { cost }) => sum + cost, 0)).toBeGreaterThanOrEqual(units);
    }),
    { numRuns: 1_000 },
  );
});

test("holds only what may still count", () => {
  const peak = new WindowPeak(10);
  for (let at = 0; at < 100_000; at += 1) peak.add(at, 1);
  expect(peak.peak.units).toBe(10);
  expect(JSON.stringify(peak).length).toBeLessThan(50_000);
});
