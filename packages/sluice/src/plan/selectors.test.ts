import { describe, expect, test, vi } from "vitest";
import { BadFact } from "./facts.js";
import { MissingSelector, SelectorFailed, selectorValue } from "./selectors.js";

class Api {
  apikey = "from-api";
  user() {
    return `user-of-${this.apikey}`;
  }
}

describe("the order of resolution", () => {
  const selectors = { user: () => "from-selectors" };
  const selector = { user: "from-selector" };
  const instance = { user: "from-instance" };
  const facts = { user: "from-facts" };

  test.each([
    ["facts", { facts, instance }, { selectors, selector }, "from-facts"],
    ["selectors", { facts: {}, instance }, { selectors, selector }, "from-selectors"],
    ["selector", { instance }, { selector }, "from-selector"],
    ["instance", { instance }, {}, "from-instance"],
    [
      "undefined passes on",
      { facts: { user: undefined }, instance },
      { selectors: { user: undefined } },
      "from-instance",
    ],
    ["null is an answer", { facts: { user: null }, instance }, { selectors }, null],
  ])("%s", (_, call, options, expected) => {
    expect(selectorValue("user", call, options)).toBe(expected);
  });
});

test("members and methods of an object, its class included", () => {
  expect(selectorValue("apikey", {}, { selector: new Api() })).toBe("from-api");
  expect(selectorValue("user", { instance: new Api() }, {})).toBe("user-of-from-api");
});

test("functions get the call's arguments and its this", () => {
  const user = function (this: Api, ...args: number[]) {
    return `${this.apikey}/${args.join("+")}`;
  };
  expect(selectorValue("user", { instance: new Api(), args: [1, 2] }, { selectors: { user } })).toBe(
    "from-api/1+2",
  );
});

test.each([
  [42, "42"],
  [-0, "0"],
  [1.5, "1.5"],
  [12345678901234567890n, "12345678901234567890"],
  [true, "true"],
  [false, "false"],
  [0, "0"],
])("%s counts as %j", (value, text) => {
  expect(selectorValue("user", { facts: { user: value } }, {})).toBe(text);
});

test.each([
  ["found nowhere", {}],
  ["undefined", { user: undefined }],
  ["empty", { user: "" }],
  ["only inherited by every object", Object.create(null)],
])("a selector %s is missing", (_, facts) => {
  expect(() => selectorValue("user", { facts }, {})).toThrow(MissingSelector);
});

test.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
  "%s is not found on a plain object",
  (name) => {
    expect(() => selectorValue(name, { facts: {}, instance: {} }, { selectors: {}, selector: {} })).toThrow(
      MissingSelector,
    );
  },
);

test("the error names the selector, what was given, and what to do", () => {
  expect(() => selectorValue("user", { facts: { usr: "x", ip: "y" } }, {})).toThrow(
    'The rule counts by "user", and no value was found for it (facts given: usr, ip). Pass it as a fact, or as ' +
      "selectors: { user: … } when defining the limit; null says on purpose that the limit does not apply.",
  );
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, {}, [], Symbol("x"), () => 1])(
  "%s is no identity",
  (value) => {
    expect(() => selectorValue("user", { facts: { user: value as string } }, {})).toThrow(BadFact);
  },
);

test("a promise is no identity, and the error says what to do", () => {
  const user = async () => "late";
  expect(() => selectorValue("user", {}, { selectors: { user } })).toThrow("Await it first");
});

test("an empty text is missing, though others would have an answer", () => {
  expect(() => selectorValue("user", { facts: { user: "" }, instance: { user: "x" } }, {})).toThrow(
    MissingSelector,
  );
});

test("what a getter throws is the cause", () => {
  const selector = {
    get user(): string {
      throw new RangeError("no session");
    },
  };
  expect(() => selectorValue("user", {}, { selector })).toThrow(SelectorFailed);
});

test("what a selector function throws is the cause", () => {
  const user = vi.fn(() => {
    throw new RangeError("no session");
  });
  expect(() => selectorValue("user", {}, { selectors: { user } })).toThrow(SelectorFailed);
  expect(() => selectorValue("user", {}, { selectors: { user } })).toThrow(
    expect.objectContaining({ cause: expect.any(RangeError), selector: "user" }),
  );
});
