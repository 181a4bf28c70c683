import { expect, test } from "vitest";
import { Breaker } from "./breaker.js";

test("opens at the third failure in a row, rests, lets one probe through, and closes when it is answered", () => {
  const breaker = new Breaker();
  const steps: readonly (readonly [
    at: number,
    did: "failed" | "succeeded" | "asked",
    state: string,
    allows?: boolean,
  ])[] = [
    [0, "failed", "closed"],
    [1, "succeeded", "closed"],
    [2, "failed", "closed"],
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
    [1_101, "succeeded", "closed"],
    [1_102, "asked", "closed", true],
  ];
  for (const [at, did, state, allows] of steps) {
    if (did === "asked") expect(breaker.allows(at), `allows at ${at}`).toBe(allows);
    else breaker[did](at);
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
