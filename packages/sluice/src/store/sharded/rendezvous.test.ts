import { expect, test } from "vitest";
import { chosen } from "./rendezvous.js";

const KEYS = Array.from({ length: 30_000 }, (_, number) => `user:${number}`);

function countBy<Name extends string>(names: readonly Name[]): Map<Name, number> {
  const counts = new Map<Name, number>(names.map((name) => [name, 0]));
  for (const key of KEYS) {
    const name = chosen(names, key);
    counts.set(name, counts.get(name)! + 1);
  }
  return counts;
}

test.each([1, 2, 3, 5, 10])("%i places get about the same share each", (places) => {
  const names = Array.from({ length: places }, (_, place) => String(place));
  for (const count of countBy(names).values()) {
    expect(count / (KEYS.length / places)).toBeGreaterThan(0.93);
    expect(count / (KEYS.length / places)).toBeLessThan(1.07);
  }
});

test("a place that comes takes its own share, and moves nothing between the others", () => {
  const before = ["0", "1", "2", "3"];
  const moved = KEYS.filter((key) => chosen(before, key) !== chosen([...before, "4"], key));
  expect(moved.every((key) => chosen([...before, "4"], key) === "4")).toBe(true);
  expect(moved.length / KEYS.length).toBeGreaterThan(0.18);
  expect(moved.length / KEYS.length).toBeLessThan(0.22);
});

test("a place that goes leaves every other key where it was", () => {
  const moved = KEYS.filter((key) => chosen(["a", "b", "c"], key) !== chosen(["a", "c"], key));
  expect(moved.every((key) => chosen(["a", "b", "c"], key) === "b")).toBe(true);
});
