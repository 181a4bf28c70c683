import { expect, test } from "vitest";
import { remembered } from "./remembered.js";

test("an answer is worked out once, until there are too many", () => {
  const asked: string[] = [];
  const lengthOf = remembered(2, (text) => {
    asked.push(text);
    return text.length;
  });
  expect(["a", "bb", "a", "bb"].map(lengthOf)).toEqual([1, 2, 1, 2]);
  expect(asked).toEqual(["a", "bb"]);
  expect(["ccc", "ccc", "a"].map(lengthOf)).toEqual([3, 3, 1]);
  expect(asked).toEqual(["a", "bb", "ccc", "a"]);
});

test("what is thrown is not an answer", () => {
  let calls = 0;
  const broken = remembered(2, () => {
    calls += 1;
    throw new Error("broken");
  });
  for (const text of ["a", "a"]) expect(() => broken(text)).toThrow("broken");
  expect(calls).toBe(2);
});
