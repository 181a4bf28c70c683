/** Decisions over HTTP, on every kind of store: 200 whether allowed or not. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectProblem } from "./ask.js";
import { BACKENDS, type Served } from "./serve.js";

const LIMITS = {
  login: "ip:2/h gcra or user:20/d gcra",
  all: "3/h gcra",
  never: "user:0/h",
  quiet: { rule: "user:1/h gcra", shadow: true },
  dear: { rule: "user:10/h gcra", cost: 4 },
  "a.b-c_1": "user:1/h",
};

describe.each(BACKENDS)("on $name", ({ serve }) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve({ limits: LIMITS });
  });
  afterAll(() => served.close());

  const ask = (limit: string, action: string, body?: unknown) =>
    served.ask(`POST /v1/limits/${limit}/${action}`, { body });

  test("consume, peek, refund and reset", async () => {
    const facts = { ip: "192.0.2.1", user: "ada" };
    const fresh = { allowed: true, remaining: 2, retryAfterMs: 0, resetAfterMs: 0, refusedBy: [] };
    expect((await ask("login", "peek", { facts })).json).toMatchObject(fresh);
    const first = await ask("login", "consume", { facts });
    expect(first.status).toBe(200);
    expect(first.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    expect(first.json).toEqual({
      allowed: true,
      remaining: 1,
      retryAfterMs: 0,
      resetAfterMs: 4_320_000,
      refusedBy: [],
      source: "store",
      limits: [
        {
          ...{ rule: "ip:2/h gcra", selector: "ip", limit: 2, windowMs: 3_600_000 },
          ...{ allowed: true, remaining: 1, retryAfterMs: 0, resetAfterMs: 1_800_000 },
        },
        {
          ...{ rule: "user:20/d gcra", selector: "user", limit: 20, windowMs: 86_400_000 },
          ...{ allowed: true, remaining: 19, retryAfterMs: 0, resetAfterMs: 4_320_000 },
        },
      ],
    });

    const refused = await ask("login", "consume", { facts, cost: 2 });
    expect(refused.status).toBe(200);
    expect(refused.json).toMatchObject({
      allowed: false,
      remaining: 1,
      retryAfterMs: expect.toSatisfy((ms: number) => ms > 1_740_000 && ms <= 1_800_000),
      refusedBy: [{ rule: "ip:2/h gcra", allowed: false }],
    });

    const refund = await ask("login", "refund", { facts });
    expect([refund.status, refund.text]).toEqual([204, ""]);
    expect((await ask("login", "peek", { facts })).json).toMatchObject({ remaining: 2 });
    await ask("login", "consume", { facts, cost: 2 });
    expect((await ask("login", "peek", { facts })).json).toMatchObject({ allowed: false, remaining: 0 });
    const reset = await ask("login", "reset", { facts });
    expect([reset.status, reset.text]).toEqual([204, ""]);
    expect((await ask("login", "peek", { facts })).json).toMatchObject(fresh);
  });

  test("what never comes is null", async () => {
    const user = { facts: { user: "ada" } };
    expect((await ask("never", "consume", user)).json).toMatchObject({
      allowed: false,
      retryAfterMs: null,
      refusedBy: [{ retryAfterMs: null }],
    });
    expect((await ask("all", "consume", { cost: 5 })).json).toMatchObject({
      allowed: false,
      retryAfterMs: null,
    });
  });

  test("a fact that is null takes its limit away, and no limit at all leaves no end", async () => {
    const { json } = await ask("login", "consume", { facts: { ip: null, user: null } });
    expect(json).toMatchObject({
      allowed: true,
      remaining: null,
      limits: [{ remaining: null }, { remaining: null }],
    });
  });

  test("numbers and booleans count as their text", async () => {
    const allowed = async (user: unknown) => {
      const { json } = await ask("a.b-c_1", "consume", { facts: { user } });
      return (json as { allowed: boolean }).allowed;
    };
    expect(await allowed(42)).toBe(true);
    expect(await allowed("42")).toBe(false);
    expect(await allowed(true)).toBe(true);
    expect(await allowed("true")).toBe(false);
    expect(await allowed("Zürich 東京 \u0000\r\n")).toBe(true);
    expect(await allowed("Zürich 東京 \u0000\r\n")).toBe(false);
  });

  test("numbers that JSON cannot tell apart are not counted as one", async () => {
    const two = ["12345678901234567890", "12345678901234567891"];
    for (const user of two) {
      const answer = await ask("a.b-c_1", "consume", `{"facts":{"user":${user}}}`);
      expect(answer.status).toBe(400);
      expectProblem(answer, { detail: expect.stringContaining("facts/user") });
    }
  });

  test("where nothing has to be said, no body is needed", async () => {
    expect((await ask("all", "reset")).status).toBe(204);
    expect((await ask("all", "consume")).json).toMatchObject({ remaining: 2 });
    expect((await ask("all", "consume", "")).json).toMatchObject({ remaining: 1 });
    expect((await ask("all", "consume", {})).json).toMatchObject({ remaining: 0 });
  });

  test("a limit's own cost counts where a request names none", async () => {
    const facts = { user: "bob" };
    expect((await ask("dear", "consume", { facts })).json).toMatchObject({ remaining: 6 });
    expect((await ask("dear", "consume", { facts, cost: 1 })).json).toMatchObject({ remaining: 5 });
  });

  test("in shadow mode, what would have been is told", async () => {
    const facts = { user: "eve" };
    expect((await ask("quiet", "consume", { facts })).json).toMatchObject({ shadow: { allowed: true } });
    expect((await ask("quiet", "consume", { facts })).json).toMatchObject({
      allowed: true,
      retryAfterMs: 0,
      refusedBy: [],
      shadow: { allowed: false, refusedBy: [{ rule: "user:1/h gcra" }] },
    });
  });

  test("the limits there are", async () => {
    expect((await served.ask("GET /v1/limits")).json).toEqual({
      limits: [
        { name: "login", rule: LIMITS.login, selectors: ["ip", "user"], shadow: false },
        { name: "all", rule: LIMITS.all, selectors: [], shadow: false },
        { name: "never", rule: LIMITS.never, selectors: ["user"], shadow: false },
        { name: "quiet", rule: LIMITS.quiet.rule, selectors: ["user"], shadow: true },
        { name: "dear", rule: LIMITS.dear.rule, selectors: ["user"], shadow: false },
        { name: "a.b-c_1", rule: "user:1/h", selectors: ["user"], shadow: false },
      ],
    });
  });

  test("health", async () => {
    expect((await served.ask("GET /healthz")).json).toEqual({ status: "alive" });
    expect((await served.ask("GET /readyz")).json).toEqual({ status: "ready", store: "memory" });
  });
});
