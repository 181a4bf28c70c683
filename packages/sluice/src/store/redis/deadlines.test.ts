import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Deadlines } from "./deadlines.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("expires each within a tick of its time, and never one that has ended", () => {
  const deadlines = new Deadlines();
  const expired: string[] = [];
  const begin = (name: string, ms: number) =>
    deadlines.begin(ms, () => expired.push(`${name} ${performance.now()}`));
  const start = performance.now();
  begin("short", 30);
  const ended = begin("ended", 40);
  begin("long", 100);
  deadlines.end(ended);
  vi.advanceTimersByTime(200);
  expect(expired.map((text) => text.split(" ")[0])).toEqual(["short", "long"]);
  const times = expired.map((text) => Number(text.split(" ")[1]) - start);
  expect(times[0]).toBeGreaterThanOrEqual(30);
  expect(times[0]).toBeLessThanOrEqual(50);
  expect(times[1]).toBeGreaterThanOrEqual(100);
  expect(times[1]).toBeLessThanOrEqual(120);
});

test("has no timer when there is nothing to wait for", () => {
  const deadlines = new Deadlines();
  deadlines.end(deadlines.begin(1_000, () => {}));
  vi.advanceTimersByTime(20);
  expect(vi.getTimerCount()).toBe(0);
});
