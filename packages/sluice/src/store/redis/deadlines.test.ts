import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Deadlines } from "./deadlines.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

class Timed {
  readonly expiresAt: number;
  isOpen = true;
  expiredAt: number | undefined;

  constructor(ms: number) {
    this.expiresAt = performance.now() + ms;
  }

  expire(): void {
    this.expiredAt = performance.now();
  }
}

test("expires each within a tick of its time, and never one that has ended", () => {
  const deadlines = new Deadlines();
  const [short, ended, long] = [new Timed(30), new Timed(40), new Timed(100)];
  for (const timed of [short, ended, long]) deadlines.begin(timed);
  ended.isOpen = false;
  vi.advanceTimersByTime(200);
  for (const { expiresAt, expiredAt } of [short, long]) {
    expect(expiredAt).toBeGreaterThanOrEqual(expiresAt);
    expect(expiredAt).toBeLessThanOrEqual(expiresAt + 20);
  }
  expect(ended.expiredAt).toBeUndefined();
});

test("what begins while another expires is not forgotten", () => {
  const deadlines = new Deadlines();
  const [first, second] = [new Timed(20), new Timed(60)];
  first.expire = () => deadlines.begin(second);
  deadlines.begin(first);
  vi.advanceTimersByTime(100);
  expect(second.expiredAt).toBeDefined();
});

test("has no timer when there is nothing to wait for", () => {
  const deadlines = new Deadlines();
  const timed = new Timed(1_000);
  deadlines.begin(timed);
  timed.isOpen = false;
  vi.advanceTimersByTime(20);
  expect(vi.getTimerCount()).toBe(0);
});
