import { describe, expect, test } from "vitest";
import { sluiceAt } from "../../../test/sluice-at.js";
import type { Decision } from "../../decision/decision.js";
import { BadAddress, NoAddress } from "../address/client-address.js";
import { MissingFact } from "./readers.js";
import { type OwnRefusal, type Refusal, refusalFor, refusalOf, withOwn } from "./refusal.js";

async function refused(): Promise<Decision> {
  const limiter = sluiceAt(0).sluice.limit("ip:5/m or user:2/h");
  return limiter.consume({ ip: "203.0.113.7", user: "ada" }, { cost: 3 });
}

const NEVER_STORED = { "Content-Type": "application/problem+json", "Cache-Control": "no-store" };

test("a limit refuses with 429, and names its policy and nobody's identity", async () => {
  const decision = await refused();
  const { status, headers, body } = refusalOf(decision);
  expect(status).toBe(429);
  expect(headers).toEqual({
    "RateLimit-Policy": '"ip:5/m";q=5;w=60,"user:2/h";q=2;w=3600',
    RateLimit: '"ip:5/m";r=5,"user:2/h";r=2',
    ...NEVER_STORED,
  });
  expect(JSON.parse(body)).toEqual({
    type: "https://iana.org/assignments/http-problem-types#quota-exceeded",
    title: "Request cannot be satisfied as assigned quota has been exceeded",
    status: 429,
    "violated-policies": ["user:2/h"],
  });
  expect(body).not.toMatch(/ada|203/);
});

test("with names for its policies", async () => {
  const { headers, body } = refusalOf(await refused(), { policies: ["address", "account"] });
  expect(headers["RateLimit-Policy"]).toBe('"address";q=5;w=60,"account";q=2;w=3600');
  expect(JSON.parse(body)).toMatchObject({ "violated-policies": ["account"] });
});

test("a store that cannot be asked refuses with 503, and no policy is violated", async () => {
  const decision: Decision = { ...(await refused()), source: "fallback", policy: "deny", retryAfterMs: 500 };
  const { status, headers, body } = refusalOf(decision);
  expect(status).toBe(503);
  expect(headers).toEqual({
    "RateLimit-Policy": '"ip:5/m";q=5;w=60,"user:2/h";q=2;w=3600',
    "Retry-After": "1",
    ...NEVER_STORED,
  });
  expect(JSON.parse(body)).toEqual({
    type: "https://iana.org/assignments/http-problem-types#temporary-reduced-capacity",
    title: "Request cannot be satisfied due to temporary server capacity constraints",
    status: 503,
    "violated-policies": [],
  });
});

test("the rules in memory refuse with 429, though the store is away", async () => {
  const decision: Decision = { ...(await refused()), source: "fallback", policy: "local" };
  expect(refusalOf(decision).status).toBe(429);
});

describe("a request that cannot be counted is refused with 400", () => {
  test.each([
    [new BadAddress('"secret"'), "The address of the client cannot be read."],
    [new MissingFact('The request has no header "x-api-key".'), 'The request has no header "x-api-key".'],
  ])("%s", (error, detail) => {
    const { status, headers, body } = refusalFor(error)!;
    expect([status, headers]).toEqual([400, NEVER_STORED]);
    expect(JSON.parse(body)).toEqual({ type: "about:blank", title: "Bad Request", status: 400, detail });
  });

  test("and any other error is none of the client's", () => {
    expect([new NoAddress("x"), new Error("x"), undefined].map(refusalFor)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("the caller's own response", () => {
  const ours: Refusal = { status: 429, headers: { "Retry-After": "9", ...NEVER_STORED }, body: "{}" };
  const text = "text/plain; charset=utf-8";
  test.each<[OwnRefusal | undefined, Partial<Refusal>]>([
    [undefined, {}],
    [{}, {}],
    [{ status: 403 }, { status: 403 }],
    [{ body: "Slow down." }, { body: "Slow down.", headers: { ...ours.headers, "Content-Type": text } }],
    [{ body: "" }, { body: "", headers: { ...ours.headers, "Content-Type": text } }],
    [
      { body: { e: 1 } },
      { body: '{"e":1}', headers: { ...ours.headers, "Content-Type": "application/json" } },
    ],
    [
      { body: "<p>", headers: { "content-type": "text/html" } },
      {
        body: "<p>",
        headers: { "Retry-After": "9", "Cache-Control": "no-store", "content-type": "text/html" },
      },
    ],
    [{ headers: { "retry-after": "60" } }, { headers: { ...NEVER_STORED, "retry-after": "60" } }],
  ])("%j", (own, expected) => expect(withOwn(ours, own)).toEqual({ ...ours, ...expected }));
});
