import fc from "fast-check";
import { expect, test } from "vitest";
import { factsIn, LONGEST_NAME, nameOf, type Values, valuesIn } from "./identity-name.js";

const SELECTORS = ["user", "ip"];

test.each<[string, Values]>([
  ["plain", ["ada", "192.0.2.1"]],
  ["missing", ["ada", undefined]],
  ["what JSON escapes", ['a"b\\c\n', "\ud800"]],
  ["what looks like a cut name", ['{"cut":["x"],"hash":"y"}', "…"]],
  ["as long as it may be", ["x".repeat(LONGEST_NAME - '["",null]'.length), undefined]],
])("is read back as it was: %s", (_, values) => {
  const name = nameOf(values);
  expect(valuesIn(name)).toEqual(values);
  expect(factsIn(name, SELECTORS)).toEqual({ user: values[0], ip: values[1] ?? null });
});

test("too long to keep: cut, told apart by a hash, and nothing to ask a limiter with", () => {
  const long = "x".repeat(60_000);
  const [one, other] = [nameOf(["ada", `${long}1`]), nameOf(["ada", `${long}2`])];
  expect(one).not.toBe(other);
  expect(nameOf(["ada", `${long}1`])).toBe(one);
  expect(valuesIn(one)).toEqual(["ada", expect.stringMatching(/^x{90}… #[\w-]{8}$/)]);
  expect(valuesIn(one)).not.toEqual(valuesIn(other));
  expect(factsIn(one, SELECTORS)).toBeUndefined();
});

test("is bounded, whatever the values are and however many", () => {
  const value = fc.oneof(
    fc.string({ unit: "binary", maxLength: 2_000 }),
    fc.constantFrom("\0", "\ud800", "€", "…", '"', "\\").map((unit) => unit.repeat(5_000)),
    fc.constant(undefined),
  );
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 300 }), (values) => {
      expect(nameOf(values).length).toBeLessThanOrEqual(LONGEST_NAME);
      valuesIn(nameOf(values));
    }),
  );
});

test("different values have different names", () => {
  const values = fc.array(fc.option(fc.string({ maxLength: 300 }), { nil: undefined }), {
    minLength: 2,
    maxLength: 2,
  });
  fc.assert(
    fc.property(values, values, (one, other) => {
      expect(nameOf(one) === nameOf(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
    }),
  );
});
