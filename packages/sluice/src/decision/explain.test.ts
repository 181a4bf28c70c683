import { describe, expect, test } from "vitest";
import { createSluice } from "../limiter/sluice.js";
import { memoryStore } from "../store/memory/memory-store.js";
import { manualClock } from "../testing/manual-clock.js";
import type { Decision } from "./decision.js";
import { explain } from "./explain.js";

const refused: Decision = {
  allowed: false,
  remaining: 0,
  retryAfterMs: 0,
  resetAfterMs: 0,
  limits: [],
  refusedBy: [],
  source: "store",
};

describe("the time to wait, rounded up to two units", () => {
  test.each([
    [1, "1ms"],
    [383, "383ms"],
    [1_000, "1s"],
    [1_001, "1s 1ms"],
    [59_998, "59s 998ms"],
    [60_000, "1m"],
    [60_001, "1m 1s"],
    [3_575_000, "59m 35s"],
    [3_599_001, "1h"],
    [3_600_001, "1h 1m"],
    [86_400_000, "1d"],
    [31_536_000_000 - 1, "365d"],
  ])("%i ms is %s", (retryAfterMs, text) => {
    expect(explain({ ...refused, retryAfterMs })).toBe(`Refused: try again in ${text}.`);
  });
});

test("says who refused, or how much is left and under which limit", async () => {
  const store = memoryStore({ clock: manualClock(0) });
  const either = createSluice({ store }).limit("ip:1/m or user:3/h");
  expect(explain(await either.consume({ ip: "x", user: "a" }))).toBe(
    "Allowed, 0 more right now under ip:1/m.",
  );
  expect(explain(await either.consume({ ip: "x", user: "a" }))).toBe("Refused by ip:1/m: try again in 1m.");
  expect(explain(await either.consume({ ip: "y", user: "a" }, { cost: 5 }))).toBe(
    "Refused by ip:1/m and user:3/h: a cost this high never fits.",
  );
  expect(explain(await either.consume({ ip: null, user: null }))).toBe("Allowed: no limit applies.");
});

test("under an And, names a limit that still lets pass", async () => {
  const store = memoryStore({ clock: manualClock(0) });
  const both = createSluice({ store }).limit("user:2/m and 3/m");
  for (const _ of "12") await both.consume({ user: "a" });
  expect(explain(await both.consume({ user: "a" }))).toBe("Allowed, 0 more right now under 3/m.");
});
