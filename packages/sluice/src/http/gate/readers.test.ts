import { describe, expect, test } from "vitest";
import type { Fact } from "../../plan/facts.js";
import type { HttpRequest } from "../request.js";
import { cookie, type FactReader, firstOf, header, MissingFact, route } from "./readers.js";

function requestOf(headers: { readonly [name: string]: string }, pattern?: string): HttpRequest {
  return { method: "GET", path: "/users/7", route: pattern, address: "::1", header: (name) => headers[name] };
}

describe("a header", () => {
  test("is found by its name in any case", () => {
    expect(header("X-Api-Key")(undefined, requestOf({ "x-api-key": "abc" }))).toBe("abc");
  });

  test.each<[{ readonly [name: string]: string }]>([[{}], [{ "x-api-key": "" }]])(
    "is missing in %j",
    (headers) => {
      expect(() => header("x-api-key")(undefined, requestOf(headers))).toThrow(
        new MissingFact('The request has no header "x-api-key".'),
      );
    },
  );

  test.each([null, "nobody"])("may be left out where that is said: %j", (otherwise) => {
    expect(header("x-api-key", { otherwise })(undefined, requestOf({}))).toBe(otherwise);
  });
});

describe("a cookie", () => {
  test.each([
    ["sid=abc", "abc"],
    ["a=1; sid=abc; b=2", "abc"],
    ["a=1;sid=abc", "abc"],
    [" sid = abc ", "abc"],
    ['sid="abc"', "abc"],
    ["sid=%61bc", "abc"],
    ["sid=a%zz", "a%zz"],
    ["sid=a=b", "a=b"],
    ["sid=first; sid=second", "first"],
    ["sid2=x; xsid=y; sid=abc", "abc"],
  ])("in %j is %j", (cookies, expected) => {
    expect(cookie("sid")(undefined, requestOf({ cookie: cookies }))).toBe(expected);
  });

  test.each(["", "sid", "sid2=x", "xsid=y", "sid=", 'sid=""', "a=sid=abc", ";".repeat(100_000)])(
    "is missing in %.20j",
    (cookies) => {
      expect(() => cookie("sid")(undefined, requestOf({ cookie: cookies }))).toThrow(MissingFact);
    },
  );

  test("is missing without the header", () => {
    expect(() => cookie("sid")(undefined, requestOf({}))).toThrow('The request has no cookie "sid".');
    expect(cookie("sid", { otherwise: null })(undefined, requestOf({}))).toBeNull();
  });
});

test("the route is the pattern, never the path", () => {
  expect(route()(undefined, requestOf({}, "/users/:id"))).toBe("/users/:id");
  expect(() => route()(undefined, requestOf({}))).toThrow(MissingFact);
  expect(route({ otherwise: "none" })(undefined, requestOf({}))).toBe("none");
});

describe("the first of several", () => {
  const key = header("x-api-key");
  const constant = (value: Fact) => () => value;
  test.each<[string, readonly FactReader<unknown>[], Fact]>([
    ["the first", [key, constant("x")], "0:abc"],
    ["the next, where a header is missing", [header("x-other"), key], "1:abc"],
    ["the next, where there is nothing", [constant(undefined), constant(""), constant(7)], "2:7"],
    ["what comes later", [async () => undefined, async () => "late"], "1:late"],
    ["null, which says that the limit does not apply", [constant(null), key], null],
    ["false is something", [constant(false), key], "0:false"],
  ])("is %s", async (_, readers, expected) => {
    expect(await firstOf(...readers)(undefined, requestOf({ "x-api-key": "abc" }))).toBe(expected);
  });

  test("never makes one client of a made-up key and an address", async () => {
    const read = firstOf(key, (_, request) => request.address);
    const forged = await read(undefined, requestOf({ "x-api-key": "::1" }));
    expect(forged).not.toBe(await read(undefined, requestOf({})));
    expect(await read(undefined, requestOf({ "x-api-key": "1:::1" }))).not.toBe(
      await read(undefined, requestOf({})),
    );
  });

  test("is an error where there is none, or where a reader fails", async () => {
    await expect(firstOf(header("x-other"))(undefined, requestOf({}))).rejects.toThrow(MissingFact);
    const failing = () => {
      throw new Error("no session store");
    };
    await expect(firstOf(failing, key)(undefined, requestOf({ "x-api-key": "abc" }))).rejects.toThrow(
      "no session store",
    );
  });
});
