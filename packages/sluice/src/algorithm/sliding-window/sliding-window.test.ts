import { expect, test } from "vitest";
import type { Algorithm } from "../algorithm.js";
import { slidingWindow as typed } from "./sliding-window.js";

const slidingWindow: Algorithm = typed;

test("counts every unit, however many have come and gone", () => {
  const params = slidingWindow.params({ limit: 1_000_000_000_000, span: 1_000_000, precision: 100_000 });
  const state = slidingWindow.create();
  for (let second = 0; second < 12_000; second += 1) {
    slidingWindow.charge(state, params, 900_000_000_000, second * 1_000_000);
  }
  const now = 11_999 * 1_000_000;
  const { remaining } = slidingWindow.judge(state, params, 1, now);
  for (let unit = 1; unit <= 5; unit += 1) {
    slidingWindow.charge(state, params, 1, now);
    expect(slidingWindow.judge(state, params, 1, now).remaining).toBe(remaining - unit);
  }
});

test("holds all buckets of a precision that does not divide the span", () => {
  const params = slidingWindow.params({ limit: 100, span: 1_000, precision: 300 });
  const state = slidingWindow.create();
  for (let now = 0; now < 1_000; now += 100) slidingWindow.charge(state, params, 1, now);
  expect(slidingWindow.judge(state, params, 1, 999).remaining).toBe(90);
});
