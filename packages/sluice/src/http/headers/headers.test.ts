import fc from "fast-check";
import { type Item, type Parameters, parseDictionary, parseItem, parseList } from "structured-headers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { sluiceAt } from "../../../test/sluice-at.js";
import type { Decision, LimitStatus } from "../../decision/decision.js";
import { BadOption } from "../../errors.js";
import {
  type HeaderFields,
  type HeaderForm,
  type HeaderOptions,
  headersOf,
  headerWriter,
} from "./headers.js";

/** Decides the costs one after the other at one instant, and tells of the last. */
async function after(rule: string, costs: readonly number[], facts = {}): Promise<Decision> {
  const limiter = sluiceAt(0).sluice.limit(rule);
  let decision: Decision | undefined;
  for (const cost of costs) decision = await limiter.consume({ ip: "1", user: "2", ...facts }, { cost });
  return decision!;
}

describe("draft-11", () => {
  test.each<[string, readonly number[], string, string, string | undefined]>([
    ["100/m", [1], '"100/m";q=100;w=60', '"100/m";r=99;t=60', undefined],
    ["100/m", [5], '"100/m";q=100;w=60', '"100/m";r=95;t=60', undefined],
    ["100/m gcra", [5, 5], '"100/m gcra";q=100;w=60', '"100/m gcra";r=90;t=6', undefined],
    ["10/m", [8, 5], '"10/m";q=10;w=60', '"10/m";r=2;t=60', "60"],
    ["10/m gcra", [8, 5], '"10/m gcra";q=10;w=60', '"10/m gcra";r=2;t=18', "18"],
    ["10/m gcra", [8, 3], '"10/m gcra";q=10;w=60', '"10/m gcra";r=2;t=6', "6"],
    /** More than ever fits: no time to come back. */
    ["10/m", [4, 11], '"10/m";q=10;w=60', '"10/m";r=6;t=60', undefined],
    ["0/s", [1], '"0/s";q=0;w=1', '"0/s";r=0', undefined],
    /** A window is at least a second, and all times are rounded up. */
    ["3/100ms", [3], '"3/100ms";q=3;w=1', '"3/100ms";r=0;t=1', undefined],
    ["1/1500ms", [1, 1], '"1/1500ms";q=1;w=2', '"1/1500ms";r=0;t=2', "2"],
    ["10/s burst 20", [1], '"10/s burst 20";q=10;w=1;sluice-burst=20', '"10/s burst 20";r=19;t=1', undefined],
    [
      "ip:5/m or user:20/h",
      [2],
      '"ip:5/m";q=5;w=60,"user:20/h";q=20;w=3600',
      '"ip:5/m";r=3;t=60,"user:20/h";r=18;t=3600',
      undefined,
    ],
    /** The draft wants Retry-After to be no earlier than any `t`. */
    [
      "ip:5/m or user:20/h",
      [4, 2],
      '"ip:5/m";q=5;w=60,"user:20/h";q=20;w=3600',
      '"ip:5/m";r=1;t=60,"user:20/h";r=16;t=60',
      "60",
    ],
    [
      "ip:1/m and user:1/h",
      [1, 1],
      '"ip:1/m";q=1;w=60,"user:1/h";q=1;w=3600',
      '"ip:1/m";r=0;t=60,"user:1/h";r=0;t=60',
      "60",
    ],
    /** The same limit twice is one policy. */
    ["ip:5/m or ip:5/m", [1], '"ip:5/m";q=5;w=60', '"ip:5/m";r=4;t=60', undefined],
  ])("%s after costs of %j", async (rule, costs, policy, standing, retryAfter) => {
    expect(headersOf(await after(rule, costs))).toEqual({
      "RateLimit-Policy": policy,
      RateLimit: standing,
      ...(retryAfter !== undefined && { "Retry-After": retryAfter }),
    });
  });

  test("leaves out what does not apply", async () => {
    const decision = await after("ip:5/m or user:20/h", [1], { user: null });
    expect(headersOf(decision)["RateLimit-Policy"]).toBe('"ip:5/m";q=5;w=60');
    expect(headersOf(decision)["RateLimit"]).toBe('"ip:5/m";r=4;t=60');
    expect(headersOf(await after("user:20/h", [1], { user: null }))).toEqual({});
  });

  test.each(["allow", "deny"] as const)("tells no numbers that nobody knows: %s", async (policy) => {
    const decision: Decision = { ...(await after("5/m", [1])), source: "fallback", policy };
    expect(headersOf(decision)).toEqual({ "RateLimit-Policy": '"5/m";q=5;w=60' });
    for (const form of ["draft-7", "draft-6", "legacy"] as const) {
      expect(
        Object.keys(headersOf(decision, { headers: form })).filter((name) => name !== "RateLimit-Policy"),
      ).toEqual([]);
    }
  });
});

describe("policies are called", () => {
  const rule = "ip:5/m or user:20/h";
  test.each<[string, HeaderOptions, readonly string[]]>([
    ["by their text", {}, ["ip:5/m", "user:20/h"]],
    ["with the key before it", { key: "login" }, ["login:ip:5/m", "login:user:20/h"]],
    ["as a list says", { policies: ["burst", "daily"] }, ["burst", "daily"]],
    ["as a function says", { policies: ({ selector }) => `by ${selector}` }, ["by ip", "by user"]],
    ["never the same", { policies: () => "default" }, ["default", "default-2"]],
    ["by their text where no name is given", { policies: ["", ""] }, ["ip:5/m", "user:20/h"]],
    ["in printable ASCII", { policies: ["größe\n", 'a"b\\c'] }, ["gr%C3%B6%C3%9Fe%0A", 'a"b\\c']],
    ["whatever it is", { policies: ["\ud800", "𝄞,;"] }, ["%EF%BF%BD", "%F0%9D%84%9E,;"]],
  ])("%s", async (_, options, expected) => {
    const fields = headersOf(await after(rule, [1]), options);
    for (const name of ["RateLimit-Policy", "RateLimit"]) {
      expect(parseList(fields[name]!).map(([value]) => value)).toEqual(expected);
    }
  });

  test("and a refusal names those that refused", async () => {
    const writer = headerWriter({ policies: ["burst", "daily"] });
    expect(writer.violatedBy(await after(rule, [4, 2]))).toEqual(["burst"]);
    expect(writer.violatedBy(await after("ip:1/m and user:1/h", [1, 1]))).toEqual(["burst", "daily"]);
    expect(writer.violatedBy(await after(rule, [1]))).toEqual([]);
  });

  test("once for each limit", async () => {
    const policies = vi.fn(({ rule }: LimitStatus) => rule);
    const writer = headerWriter({ policies });
    for (const decision of [await after("5/m", [1]), await after("5/m", [2])]) writer.fieldsOf(decision);
    expect(policies).toHaveBeenCalledTimes(1);
  });
});

describe("earlier forms tell of the limit that decides", () => {
  afterEach(() => vi.useRealTimers());

  test.each<[string, readonly number[], readonly [limit: string, remaining: string, reset: string]]>([
    ["10/m", [3], ["10", "7", "60"]],
    ["10/m gcra", [8, 5], ["10", "2", "18"]],
    ["ip:5/m or user:20/h", [2], ["5", "3", "60"]],
    ["ip:50/m or user:20/h", [2], ["20", "18", "3600"]],
    ["ip:5/m and user:20/h", [5, 1], ["20", "14", "3600"]],
    ["ip:1/m and user:1/h", [1, 1], ["1", "0", "60"]],
    ["ip:1/m or user:1/h", [1, 1], ["1", "0", "3600"]],
    ["0/s", [1], ["0", "0", "0"]],
  ])("%s after costs of %j: %j", async (rule, costs, [limit, remaining, reset]) => {
    vi.useFakeTimers({ now: 1_700_000_000_000 });
    const decision = await after(rule, costs);
    const {
      "Retry-After": _,
      "RateLimit-Policy": policy,
      ...six
    } = headersOf(decision, { headers: "draft-6" });
    expect(six).toEqual({
      "RateLimit-Limit": limit,
      "RateLimit-Remaining": remaining,
      "RateLimit-Reset": reset,
    });
    expect(policy).toMatch(/^\d+;w=\d+(, \d+;w=\d+)?$/);
    expect(headersOf(decision, { headers: "draft-7" })).toMatchObject({
      RateLimit: `limit=${limit}, remaining=${remaining}, reset=${reset}`,
      "RateLimit-Policy": policy,
    });
    expect(headersOf(decision, { headers: "legacy" })).toMatchObject({
      "X-RateLimit-Limit": limit,
      "X-RateLimit-Remaining": remaining,
      "X-RateLimit-Reset": String(1_700_000_000 + Number(reset)),
    });
  });

  test.each<[HeaderOptions["headers"], readonly string[]]>([
    [false, []],
    [[], []],
    ["draft-11", ["RateLimit-Policy", "RateLimit"]],
    [
      ["draft-11", "draft-6"],
      ["RateLimit-Policy", "RateLimit", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"],
    ],
    [["legacy"], ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]],
  ])("%j writes %j", async (headers, expected) => {
    expect(Object.keys(headersOf(await after("5/m", [1]), { headers }))).toEqual(expected);
  });

  test("beside draft-6, the policies are those of draft-11", async () => {
    const fields = headersOf(await after("5/m", [1]), { headers: ["draft-6", "draft-11"] });
    expect(fields["RateLimit-Policy"]).toBe('"5/m";q=5;w=60');
  });

  test.each<[unknown]>([
    ["draft-8"],
    [true],
    [null],
    [["draft-11", "x"]],
    [["draft-11", "draft-7"]],
    [[undefined]],
  ])("%j is refused", (headers) => {
    expect(() => headerWriter({ headers: headers as HeaderForm })).toThrow(BadOption);
  });

  test.each<[unknown]>([["name"], [[1]], [null], [{}]])("policies of %j are refused", (policies) => {
    expect(() => headerWriter({ policies: policies as string[] })).toThrow(BadOption);
  });
});

describe("a parser of structured fields reads every header", () => {
  const number = fc.oneof(
    fc.integer({ min: 0, max: 10 }),
    fc.double({ min: 0, max: 2 ** 53, noNaN: true }),
    fc.constantFrom(0, 2 ** 53, 1e300, Number.POSITIVE_INFINITY),
  );
  const verdict = { allowed: fc.boolean(), remaining: number, retryAfterMs: number, resetAfterMs: number };
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constantFrom("a", "b", "10/s burst 99"),
  );
  const status: fc.Arbitrary<LimitStatus> = fc.record({
    ...verdict,
    rule: text,
    selector: fc.string(),
    limit: number,
    windowMs: number,
  });
  const arbitraryDecision: fc.Arbitrary<Decision> = fc
    .record({ ...verdict, limits: fc.array(status, { maxLength: 5 }) })
    .map((parts) => ({
      ...parts,
      refusedBy: parts.allowed ? [] : parts.limits.filter(({ allowed }) => !allowed),
      source: "store",
    }));

  /** As a client would, with what the draft says of each value. */
  function judge(fields: HeaderFields): void {
    const policies = parseList(fields["RateLimit-Policy"] ?? "");
    const standings = parseList(fields["RateLimit"] ?? "");
    const names = policies.map(([name]) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(standings.map(([name]) => name)).toEqual(names);
    for (const [name, parameters] of [...policies, ...standings]) {
      expect(name).toMatch(/^[ -~]*$/);
      for (const value of (parameters as Parameters).values()) expect(value).toSatisfy(isFieldInteger);
    }
    for (const [, parameters] of policies) {
      expect((parameters as Parameters).get("q")).toBeDefined();
      expect((parameters as Parameters).get("w")).toBeGreaterThanOrEqual(1);
    }
    for (const [, parameters] of standings) expect((parameters as Parameters).get("r")).toBeDefined();
    const retryAfter = fields["Retry-After"];
    if (retryAfter === undefined) return;
    expect(retryAfter).toMatch(/^[1-9]\d*$/);
    for (const [, parameters] of standings) {
      expect((parameters as Parameters).get("t") ?? 0).toBeLessThanOrEqual(Number(retryAfter));
    }
  }

  function judgeEarlier(fields: HeaderFields): void {
    for (const [, value] of Object.entries(fields).filter(([name]) =>
      /-(Limit|Remaining|Reset)$/.test(name),
    )) {
      expect((parseItem(value) as Item)[0]).toSatisfy(isFieldInteger);
    }
    for (const [quota, parameters] of parseList(fields["RateLimit-Policy"] ?? "")) {
      expect(quota).toSatisfy(isFieldInteger);
      expect((parameters as Parameters).get("w")).toBeGreaterThanOrEqual(1);
    }
    const standing = parseDictionary(fields["RateLimit"] ?? "");
    for (const [value] of standing.values()) expect(value).toSatisfy(isFieldInteger);
  }

  function isFieldInteger(value: unknown): boolean {
    return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= 999_999_999_999_999;
  }

  function judgeAll(decision: Decision): void {
    judge(headersOf(decision));
    judge(headersOf(decision, { policies: () => 'the "same"', headers: ["draft-11", "legacy"] }));
    judgeEarlier(headersOf(decision, { headers: ["draft-7", "draft-6", "legacy"] }));
  }

  test("of any decision there could be", () => {
    fc.assert(fc.property(arbitraryDecision, judgeAll), { numRuns: 500 });
  });

  test("of decisions on random rules at random times", async () => {
    const span = fc.constantFrom("100ms", "s", "7s", "m", "h", "d", "52w");
    const kind = fc.constantFrom(
      "",
      " gcra",
      " fixed-window",
      " sliding-counter",
      " ar1",
      ":50ms",
      " burst 7",
    );
    const limit = fc
      .tuple(fc.constantFrom("", "ip:", "user:", "ip+user:"), fc.integer({ min: 0, max: 12 }), span, kind)
      .map(
        ([selector, count, per, end]) => `${selector}${end === " burst 7" ? count + 1 : count}/${per}${end}`,
      );
    const rule = fc
      .array(limit, { minLength: 1, maxLength: 3 })
      .chain((limits) => fc.constantFrom(" or ", " and ").map((word) => limits.join(word)));
    const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 14 }), fc.integer({ min: 0, max: 90_000 })), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(rule, steps, fc.constantFrom("1", null), async (text, steps, user) => {
        const { sluice, clock } = sluiceAt(1_700_000_000_000);
        const limiter = sluice.limit(text);
        for (const [cost, pauseMs] of steps) {
          const decision = await limiter.consume({ ip: "1", user }, { cost });
          judgeAll(decision);
          const retryAfter = headersOf(decision)["Retry-After"];
          if (!decision.allowed && retryAfter !== undefined) {
            expect(Number(retryAfter) * 1000).toBeGreaterThanOrEqual(decision.retryAfterMs);
            expect(Number(retryAfter) * 1000).toBeLessThan(decision.retryAfterMs + 1000);
          }
          clock.advance(pauseMs);
        }
      }),
      { numRuns: 150 },
    );
  });
});
