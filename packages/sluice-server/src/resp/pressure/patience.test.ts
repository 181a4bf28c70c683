import { expect, test } from "vitest";
import { Waits } from "./patience.js";

const PATIENCE = { authentication: 300, halfCommand: 100, unreadReplies: 200, goodbye: 50 };
const NOTHING = {
  authentication: undefined,
  halfCommand: undefined,
  unreadReplies: undefined,
  goodbye: undefined,
};

test("a wait is too long when nothing has come on", () => {
  const waits = new Waits();
  expect(waits.tooLong(0, PATIENCE, { ...NOTHING, halfCommand: 7 })).toBeUndefined();
  expect(waits.tooLong(100, PATIENCE, { ...NOTHING, halfCommand: 7 })).toBeUndefined();
  expect(waits.tooLong(101, PATIENCE, { ...NOTHING, halfCommand: 7 })).toBe("halfCommand");
});

test("progress, and nothing to wait for, begin anew", () => {
  const waits = new Waits();
  for (let now = 0; now < 1_000; now += 90) {
    expect(waits.tooLong(now, PATIENCE, { ...NOTHING, halfCommand: now })).toBeUndefined();
  }
  waits.tooLong(1_000, PATIENCE, NOTHING);
  expect(waits.tooLong(1_150, PATIENCE, { ...NOTHING, halfCommand: 990 })).toBeUndefined();
});

test("each has its own patience", () => {
  const waits = new Waits();
  const all = { authentication: undefined, halfCommand: undefined, unreadReplies: 1, goodbye: 0 };
  expect(waits.tooLong(0, PATIENCE, all)).toBeUndefined();
  expect(waits.tooLong(60, PATIENCE, all)).toBe("goodbye");
  expect(waits.tooLong(201, PATIENCE, all)).toBe("unreadReplies");
});
