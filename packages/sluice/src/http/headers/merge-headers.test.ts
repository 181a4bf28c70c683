import fc from "fast-check";
import { type Parameters, parseList } from "structured-headers";
import { describe, expect, test } from "vitest";
import type { HeaderFields } from "./headers.js";
import { mergeHeaders } from "./merge-headers.js";

/** What a response has after one gate after the other. */
function merged(...gates: readonly HeaderFields[]): HeaderFields {
  const response: Record<string, string> = {};
  for (const added of gates)
    Object.assign(
      response,
      mergeHeaders(added, (name) => response[name]),
    );
  return response;
}

function gate(policy: string, standing: string): HeaderFields {
  return { "RateLimit-Policy": policy, RateLimit: standing };
}

const A = gate('"a";q=5;w=60', '"a";r=4;t=60');
const B = gate('"b";q=9;w=1', '"b";r=2;t=1');

test.each<[string, HeaderFields, HeaderFields]>([
  ["two policies", A, B],
  ["two of one name", A, gate('"a";q=5;w=9', '"a";r=4;t=9')],
  ["the same, tighter", A, gate('"a";q=5;w=60', '"a";r=1;t=9')],
  ["two forms", A, gate("5;w=60", "limit=5, remaining=1, reset=9")],
  [
    "an earlier form",
    gate("5;w=60", "limit=5, remaining=1, reset=9"),
    gate("9;w=1", "limit=9, remaining=1, reset=1"),
  ],
  [
    "three fields, as much left",
    { "X-RateLimit-Limit": "5", "X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "9" },
    { "X-RateLimit-Limit": "9", "X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "1" },
  ],
])("on the way out as on the way in: %s", (_, outer, inner) => {
  const response: Record<string, string> = { ...inner };
  Object.assign(
    response,
    mergeHeaders(outer, (name) => response[name], "outside"),
  );
  expect(response).toEqual(merged(outer, inner));
});

describe("of draft-11", () => {
  test.each<[string, readonly HeaderFields[], HeaderFields]>([
    ["one gate", [A], A],
    ["two", [A, B], gate('"a";q=5;w=60,"b";q=9;w=1', '"a";r=4;t=60,"b";r=2;t=1')],
    [
      "the same policy, tighter",
      [A, gate('"a";q=5;w=60', '"a";r=1;t=9')],
      gate('"a";q=5;w=60', '"a";r=1;t=9'),
    ],
    ["the same policy, less tight", [A, gate('"a";q=5;w=60', '"a";r=5')], A],
    ["as tight, for longer", [A, gate('"a";q=5;w=60', '"a";r=4;t=61')], gate('"a";q=5;w=60', '"a";r=4;t=61')],
    [
      "two policies of one name",
      [A, gate('"a";q=5;w=9', '"a";r=4;t=9'), gate('"a";q=5;w=8', '"a";r=4;t=8')],
      gate('"a";q=5;w=60,"a-2";q=5;w=9,"a-3";q=5;w=8', '"a";r=4;t=60,"a-2";r=4;t=9,"a-3";r=4;t=8'),
    ],
    [
      "of which one comes again",
      [A, gate('"a";q=5;w=9', '"a";r=4;t=9'), gate('"a";q=5;w=9', '"a";r=3;t=9')],
      gate('"a";q=5;w=60,"a-2";q=5;w=9', '"a";r=4;t=60,"a-2";r=3;t=9'),
    ],
    [
      "names with commas and quotes",
      [gate('"a,\\"b";q=1;w=1', '"a,\\"b";r=1'), B],
      gate('"a,\\"b";q=1;w=1,"b";q=9;w=1', '"a,\\"b";r=1,"b";r=2;t=1'),
    ],
    [
      "policies without a standing",
      [A, { "RateLimit-Policy": '"b";q=9;w=1' }],
      gate('"a";q=5;w=60,"b";q=9;w=1', '"a";r=4;t=60'),
    ],
  ])("%s", (_, gates, expected) => expect(merged(...gates)).toEqual(expected));
});

describe("of earlier forms", () => {
  const seven = (limit: number, remaining: number) =>
    gate(`${limit};w=60`, `limit=${limit}, remaining=${remaining}, reset=9`);
  const three = (prefix: string, limit: number, remaining: number) => ({
    [`${prefix}-Limit`]: String(limit),
    [`${prefix}-Remaining`]: String(remaining),
    [`${prefix}-Reset`]: "9",
  });
  test.each<[string, readonly HeaderFields[], HeaderFields]>([
    [
      "draft-7, less left",
      [seven(5, 4), seven(9, 2)],
      gate("5;w=60, 9;w=60", "limit=9, remaining=2, reset=9"),
    ],
    [
      "draft-7, more left",
      [seven(5, 2), seven(9, 4)],
      gate("5;w=60, 9;w=60", "limit=5, remaining=2, reset=9"),
    ],
    ["draft-7, the same policy", [seven(5, 2), seven(5, 1)], seven(5, 1)],
    ["draft-6, less left", [three("RateLimit", 5, 4), three("RateLimit", 9, 2)], three("RateLimit", 9, 2)],
    ["draft-6, more left", [three("RateLimit", 5, 2), three("RateLimit", 9, 4)], three("RateLimit", 5, 2)],
    [
      "legacy, less left",
      [three("X-RateLimit", 5, 10), three("X-RateLimit", 9, 9)],
      three("X-RateLimit", 9, 9),
    ],
    [
      "legacy, more left",
      [three("X-RateLimit", 5, 9), three("X-RateLimit", 9, 10)],
      three("X-RateLimit", 5, 9),
    ],
    ["two forms, the newer first", [A, seven(5, 1)], A],
    ["two forms, the older first", [seven(5, 1), A], A],
  ])("%s", (_, gates, expected) => expect(merged(...gates)).toEqual(expected));
});

describe("of a refusal", () => {
  test.each([
    ["9", "5", undefined],
    ["5", "9", "9"],
    [undefined, "9", "9"],
    ["Wed, 21 Oct 2026 07:28:00 GMT", "9", "9"],
  ])("Retry-After of %s and %s: sets %s", (there, added, expected) => {
    const set = mergeHeaders({ "Retry-After": added }, (name) =>
      name === "Retry-After" ? there : undefined,
    );
    expect(set["Retry-After"]).toBe(expected);
  });

  test("what is not about limits is set as it is", () => {
    const added = { "Content-Type": "application/problem+json", "Cache-Control": "no-store" };
    expect(mergeHeaders(added, () => "else")).toEqual(added);
  });
});

test.each<[unknown]>([[['"a";q=5;w=60']], ['"a";q=5;w=60'], [['"x";q=1;w=1', '"a";q=5;w=60']]])(
  "a framework may give several lines: %j",
  (there) => {
    const set = mergeHeaders({ "RateLimit-Policy": '"b";q=1;w=1' }, () => there);
    expect(parseList(set["RateLimit-Policy"]!).map(([name]) => name)).toEqual(
      [there].flat().length === 2 ? ["x", "a", "b"] : ["a", "b"],
    );
  },
);

test("however many gates there are, the fields can be parsed and no name comes twice", () => {
  const anyGate = fc
    .array(fc.tuple(fc.constantFrom("a", "b", "a-2", 'q\\"'), fc.nat(2), fc.nat(9)), {
      minLength: 1,
      maxLength: 3,
    })
    .map((limits) => {
      const own = [...new Map(limits.map((limit) => [limit[0], limit])).values()];
      return gate(
        own.map(([name, quota]) => `"${name}";q=${quota};w=1`).join(","),
        own.map(([name, , left]) => `"${name}";r=${left};t=1`).join(","),
      );
    });
  fc.assert(
    fc.property(fc.array(anyGate, { minLength: 1, maxLength: 5 }), (gates) => {
      const response = merged(...gates);
      const policies = parseList(response["RateLimit-Policy"]!).map(([name]) => name);
      const standings = parseList(response["RateLimit"]!);
      expect(new Set(policies).size).toBe(policies.length);
      expect(standings.map(([name]) => name)).toEqual(policies);
      const left = gates.flatMap((each) => parseList(each["RateLimit"]!)).map(leftOf);
      expect(Math.min(...standings.map(leftOf))).toBe(Math.min(...left));
    }),
  );
});

function leftOf([, parameters]: ReturnType<typeof parseList>[number]): number {
  return (parameters as Parameters).get("r") as number;
}
