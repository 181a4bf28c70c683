import fc from "fast-check";
import { expect, test } from "vitest";
import { LatencyHistogram } from "./latency-histogram.js";

test("quantiles are never too low and at most an eighth too high", () => {
  const latencies = fc.array(fc.integer({ min: 0, max: 2 ** 31 - 1 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(latencies, fc.double({ min: 0.01, max: 1, noNaN: true }), (us, share) => {
      const histogram = new LatencyHistogram();
      for (const one of us) histogram.add(one / 1000);
      const exact = us.toSorted((a, b) => a - b)[Math.ceil(share * us.length) - 1]!;
      const found = histogram.quantile(share);
      expect(found).toBeGreaterThanOrEqual(exact);
      expect(found).toBeLessThanOrEqual(exact * 1.125);
    }),
    { numRuns: 1000 },
  );
});

test("what cannot be is counted at the ends, and nothing gives 0", () => {
  const histogram = new LatencyHistogram();
  expect(histogram.quantile(0.5)).toBe(0);
  histogram.add(-1);
  expect(histogram.quantile(1)).toBe(0);
  histogram.add(Number.POSITIVE_INFINITY);
  expect(histogram.quantile(1)).toBe(2 ** 31 - 1);
  histogram.clear();
  expect(histogram.quantile(1)).toBe(0);
});
