import { expect, test } from "vitest";
import { Breaker } from "./breaker.js";

test("opens at the third failure, rests, and lets one probe through after each rest", () => {
  const breaker = new Breaker();
  const steps: readonly (readonly [at: number, did: "failed" | "asked", state: string, allows?: boolean])[] =
    [
      [0, "failed", "closed"],
      [3, "failed", "closed"],
      [4, "asked", "closed", true],
      [5, "failed", "open"],
      [6, "asked", "open", false],
      [504, "asked", "open", false],
      [505, "asked", "probing", true],
      [506, "asked", "probing", false],
      [600, "failed", "open"],
      [1_099, "asked", "open", false],
      [1_100, "asked", "probing", true],
    ];
  for (const [at, did, state, allows] of steps) {
    if (did === "asked") expect(breaker.allows(at), `allows at ${at}`).toBe(allows);
    else breaker.failed(at);
    expect(breaker.state, `state at ${at}`).toBe(state);
  }
});

test("says how long it rests", () => {
  const breaker = new Breaker();
  expect(breaker.restsFor(0)).toBe(0);
  for (const at of [0, 1, 2]) breaker.failed(at);
  expect(breaker.restsFor(102)).toBe(400);
  expect(breaker.restsFor(9_000)).toBe(0);
});
