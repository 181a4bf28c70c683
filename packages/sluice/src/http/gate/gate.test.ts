import { describe, expect, test, vi } from "vitest";
import { sluiceAt } from "../../../test/sluice-at.js";
import { BadCost, BadOption } from "../../errors.js";
import { createSluice } from "../../limiter/sluice.js";
import { MissingSelector } from "../../plan/selectors.js";
import { RuleError } from "../../rule/diagnostic.js";
import { memoryStore } from "../../store/memory/memory-store.js";
import type { PlanVerdict, Store } from "../../store/store.js";
import { StoreUnavailable } from "../../store/wrap/store-unavailable.js";
import { NoAddress } from "../address/client-address.js";
import type { HttpRequest } from "../request.js";
import { createGate, type Gate, type Passage } from "./gate.js";
import type { GateOptions } from "./options.js";
import { header } from "./readers.js";

interface Native {
  readonly user?: string;
  readonly cost?: number;
  readonly path?: string;
  readonly address?: string | undefined;
  readonly headers?: { readonly [name: string]: string };
}

function requestOf(native: Native): HttpRequest {
  const { path = "/", address = "203.0.113.7", headers = {} } = native;
  return {
    method: "GET",
    path,
    address: "address" in native ? native.address : address,
    header: (name) => headers[name],
  };
}

const enter = async (gate: Gate<Native>, native: Native = {}) => gate.enter(native, requestOf(native));

function statusOf(passage: Passage): number {
  return passage.pass ? 200 : passage.refusal.status;
}

async function statuses(gate: Gate<Native>, natives: readonly Native[]): Promise<readonly number[]> {
  const found: number[] = [];
  for (const native of natives) found.push(statusOf(await enter(gate, native)));
  return found;
}

/** A store that is away, as Redis's answers by its failure policy. */
function awayStore(policy: "allow" | "deny"): Store {
  const answer = (plan: { shape: { counters: readonly unknown[] } }): PlanVerdict => {
    const verdict = { allowed: policy === "allow", remaining: 0, retryAfterMs: 400, resetAfterMs: 400 };
    return {
      allowed: policy === "allow",
      verdicts: plan.shape.counters.map(() => verdict),
      source: "fallback",
      policy,
    };
  };
  return { ...memoryStore(), decide: answer, peek: answer, refund() {}, reset() {}, close() {} };
}

describe("a request", () => {
  test("passes with headers, and is refused with a response", async () => {
    const gate = createGate<Native>("ip:2/m", { sluice: sluiceAt(0).sluice });
    expect(await enter(gate)).toMatchObject({
      pass: true,
      headers: { "RateLimit-Policy": '"ip:2/m";q=2;w=60', RateLimit: '"ip:2/m";r=1;t=60' },
      settle: undefined,
      decision: { allowed: true, remaining: 1 },
    });
    expect(await statuses(gate, [{}, {}, { address: "203.0.113.8" }])).toEqual([200, 429, 200]);
    expect(await enter(gate)).toMatchObject({
      pass: false,
      refusal: { status: 429, headers: { "Retry-After": "60", RateLimit: '"ip:2/m";r=0;t=60' } },
      decision: { allowed: false },
    });
  });

  test("is counted in memory, apart from other gates, where no Sluice is given", async () => {
    const gates = [createGate<Native>("ip:1/h"), createGate<Native>("ip:1/h")];
    for (const gate of gates) expect(await statuses(gate, [{}, {}])).toEqual([200, 429]);
  });

  test("is counted by what the facts say", async () => {
    const gate = createGate<Native>("user:1/h", { facts: { user: ({ user }) => user } });
    expect(await statuses(gate, [{ user: "ada" }, { user: "ada" }, { user: "bob" }])).toEqual([
      200, 429, 200,
    ]);
  });

  test("is counted by a rule that the facts choose", async () => {
    const gate = createGate<Native>(({ user }) => (user === "ada" ? "user:2/h" : "user:1/h"), {
      facts: { user: ({ user }) => user },
    });
    expect(
      await statuses(gate, [{ user: "ada" }, { user: "ada" }, { user: "bob" }, { user: "bob" }]),
    ).toEqual([200, 200, 200, 429]);
  });

  test("is counted behind a trusted proxy", async () => {
    const gate = createGate<Native>("ip:1/h", { trust: 1 });
    const from = (xff: string): Native => ({ address: "10.0.0.1", headers: { "x-forwarded-for": xff } });
    expect(
      await statuses(gate, [from("1.1.1.1"), from("2.2.2.2"), from("9.9.9.9, 1.1.1.1"), from("?")]),
    ).toEqual([200, 200, 429, 400]);
  });

  test("is let through unseen where skip says so", async () => {
    const gate = createGate<Native>("ip:1/h", { skip: async (_, { path }) => path === "/health" });
    const health = { path: "/health" };
    expect(await statuses(gate, [health, health, {}, health, {}])).toEqual([200, 200, 200, 200, 429]);
    expect(await enter(gate, health)).toEqual({
      pass: true,
      headers: {},
      settle: undefined,
      decision: undefined,
    });
  });
});

describe("a request that cannot be counted", () => {
  test("by the client's doing, is refused with 400 and touches no counter", async () => {
    const gate = createGate<Native>("apikey:1/h", { facts: { apikey: header("X-Api-Key") } });
    const withKey = { headers: { "x-api-key": "k" } };
    expect(await statuses(gate, [{}, {}, withKey, {}, withKey])).toEqual([400, 400, 200, 400, 429]);
    expect(await enter(gate)).toMatchObject({ refusal: { body: expect.stringContaining("x-api-key") } });
  });

  test("by ours, is an error that says what to do", async () => {
    await expect(enter(createGate<Native>("ip:1/h"), { address: undefined })).rejects.toThrow(NoAddress);
    const gate = createGate<Native>("user:1/h", { facts: { user: ({ user }) => user } });
    await expect(enter(gate)).rejects.toThrow(MissingSelector);
    const limiter = createSluice().limit("user:1/h");
    await expect(enter(createGate<Native>(limiter))).rejects.toThrow(MissingSelector);
  });

  test("is none where the limit does not ask", async () => {
    const facts = { user: () => "ada" };
    const limiter = createSluice().limit("user:9/h");
    for (const limit of ["user:9/h", limiter] as const) {
      const gate = createGate<Native>(limit, { facts, trust: 1 });
      expect(await statuses(gate, [{ address: undefined }, { headers: { "x-forwarded-for": "?" } }])).toEqual(
        [200, 200],
      );
    }
  });

  test("is found by a limiter too, of which nobody knows what it counts by", async () => {
    const gate = createGate<Native>(createSluice().limit("ip:1/h"), { trust: 1 });
    expect(await statuses(gate, [{ headers: { "x-forwarded-for": "?" } }])).toEqual([400]);
    await expect(enter(gate, { address: undefined })).rejects.toThrow(NoAddress);
  });

  test("may be answered in the caller's way", async () => {
    const gate = createGate<Native>("k:1/h", {
      facts: { k: header("k") },
      refuse: ({ status }, _, decision) => ({ status: status === 400 && decision === undefined ? 401 : 500 }),
    });
    expect(await statuses(gate, [{}])).toEqual([401]);
  });
});

describe("a cost", () => {
  test("may be a number", async () => {
    const gate = createGate<Native>("ip:5/h", { cost: 2 });
    expect(await statuses(gate, [{}, {}, {}])).toEqual([200, 200, 429]);
  });

  test("may be a function of the request", async () => {
    const gate = createGate<Native>("ip:5/h", { cost: async ({ cost = 1 }) => cost });
    expect(await statuses(gate, [{ cost: 4 }, { cost: 2 }, {}, {}])).toEqual([200, 429, 200, 429]);
  });

  test("of 0 passes without being counted, even where the limit is over", async () => {
    const onDecision = vi.fn();
    const gate = createGate<Native>("ip:1/m", {
      sluice: sluiceAt(0).sluice,
      cost: ({ cost = 1 }) => cost,
      onDecision,
    });
    expect(await statuses(gate, [{ cost: 0 }, {}, { cost: 0 }, {}])).toEqual([200, 200, 200, 429]);
    expect(onDecision).toHaveBeenCalledTimes(2);
    expect(await enter(gate, { cost: 0 })).toMatchObject({
      headers: { "RateLimit-Policy": '"ip:1/m";q=1;w=60', RateLimit: '"ip:1/m";r=0;t=60' },
    });
  });

  test("of 0 asks nobody where nobody is told", async () => {
    const gate = createGate<Native>("ip:1/m", { cost: () => 0, headers: false });
    expect(await enter(gate)).toMatchObject({ pass: true, decision: undefined });
  });

  test.each([-1, 1.5, Number.NaN])("of %s is an error", async (cost) => {
    await expect(enter(createGate<Native>("ip:5/h", { cost: () => cost }))).rejects.toThrow(BadCost);
    expect(() => createGate("ip:5/h", { cost })).toThrow(BadOption);
  });

  test("that is not given is the limiter's own", async () => {
    const gate = createGate<Native>(createSluice().limit("ip:5/h", { cost: 3 }));
    expect(await statuses(gate, [{}, {}])).toEqual([200, 429]);
  });
});

describe("in shadow mode", () => {
  test("nothing is refused, and nothing is seen of it", async () => {
    const onRefused = vi.fn();
    const onDecision = vi.fn();
    const gate = createGate<Native>("ip:1/h", { shadow: true, onDecision, onRefused });
    expect(await statuses(gate, [{}, {}])).toEqual([200, 200]);
    expect((await enter(gate)) as object).toMatchObject({
      headers: {},
      decision: { shadow: { allowed: false } },
    });
    expect(onDecision.mock.lastCall?.[0]).toMatchObject({ allowed: true, shadow: { allowed: false } });
    expect(onRefused).not.toHaveBeenCalled();
  });

  test("headers are written where they are asked for", async () => {
    const gate = createGate<Native>("ip:1/h", { shadow: true, headers: "draft-11" });
    await enter(gate);
    const passage = await enter(gate);
    expect(passage).toMatchObject({ headers: { RateLimit: '"ip:1/h";r=0;t=3600' } });
    expect(passage).not.toHaveProperty("headers.Retry-After");
  });
});

describe("the store is away, and the policy is to", () => {
  test("refuse: 503", async () => {
    const gate = createGate<Native>("ip:1/h", { sluice: createSluice({ store: awayStore("deny") }) });
    expect(await enter(gate)).toMatchObject({
      pass: false,
      refusal: { status: 503, headers: { "Retry-After": "1" } },
    });
  });

  test("let pass: no numbers that nobody knows", async () => {
    const gate = createGate<Native>("ip:1/h", { sluice: createSluice({ store: awayStore("allow") }) });
    expect(await enter(gate)).toMatchObject({
      pass: true,
      headers: { "RateLimit-Policy": '"ip:1/h";q=1;w=3600' },
    });
  });

  test("throw: the error goes to the caller", async () => {
    const away = () => {
      throw new StoreUnavailable("resting", "away");
    };
    const store = { ...awayStore("deny"), decide: away, peek: away };
    const sluice = createSluice({ store });
    for (const cost of [1, () => 0]) {
      await expect(enter(createGate<Native>("ip:1/h", { sluice, cost }))).rejects.toThrow(StoreUnavailable);
    }
  });
});

describe("hooks", () => {
  test("are told of each decision, and of each refusal", async () => {
    const onDecision = vi.fn();
    const onRefused = vi.fn();
    const gate = createGate<Native>("ip:1/h", { onDecision, onRefused });
    const natives = [{ user: "ada" }, { user: "bob" }];
    await statuses(gate, natives);
    expect(onDecision.mock.calls.map(([decision, native]) => [decision.allowed, native])).toEqual([
      [true, natives[0]],
      [false, natives[1]],
    ]);
    expect(onRefused.mock.calls.map(([decision, native]) => [decision.allowed, native])).toEqual([
      [false, natives[1]],
    ]);
  });

  test.each(["onDecision", "onRefused", "refuse", "skip", "cost"] as const)(
    "that throw, %s, fail the request",
    async (hook) => {
      const gate = createGate<Native>("ip:0/h", {
        [hook]: () => {
          throw new Error("mine");
        },
      });
      await expect(enter(gate)).rejects.toThrow("mine");
    },
  );

  test("answer in the caller's way", async () => {
    const gate = createGate<Native>("ip:0/h", {
      refuse: async (refusal, { user }, decision) => ({
        status: 420,
        body: `${user}: ${refusal.status} ${decision?.limits[0]?.rule}`,
      }),
    });
    expect(await enter(gate, { user: "ada" })).toMatchObject({
      refusal: { status: 420, body: "ada: 429 ip:0/h" },
    });
  });
});

describe("a gate that cannot work is refused where it is made", () => {
  test.each<[string, GateOptions<Native>, RegExp]>([
    ["an option nobody knows", { skp: () => true } as GateOptions<Native>, /"skp" is none of them/],
    ["an option of another type", { shadow: 1 as never }, /shadow/],
    ["a trust that trusts everybody", { trust: ["0.0.0.0/0"] }, /everybody/],
    ["an address of its own and a trust", { facts: { ip: () => "x" }, trust: 1 }, /clientAddress/],
    ["too few names", { policies: [] }, /1, and these are 0/],
    ["headers nobody knows", { headers: "draft-9" as never }, /draft-9/],
    ["a failure policy nobody knows", { onFailure: "shrug" as never }, /shrug/],
  ])("%s", (_, options, message) => {
    expect(() => createGate("ip:1/h", options)).toThrow(message);
    expect(() => createGate("ip:1/h", options)).toThrow(BadOption);
  });

  test("a rule that counts by what no fact gives", () => {
    expect(() => createGate("ip:1/h or user:9/h")).toThrow(/facts: { user: \(request\) => … }/);
    expect(() => createGate("ip:1/h", { colocate: "tenant" })).toThrow(/"tenant"/);
  });

  test("a bad rule", () => expect(() => createGate("1/")).toThrow(RuleError));

  test.each(["key", "shadow", "countRefused", "onFailure", "deadlineMs", "colocate", "sluice"] as const)(
    "a limiter, and %s beside it",
    (name) => {
      const sluice = createSluice();
      const values = { key: "k", onFailure: "deny", deadlineMs: 5, colocate: "x", sluice };
      const options = { shadow: true, countRefused: true, ...values }[name];
      expect(() => createGate(sluice.limit("1/h"), { [name]: options })).toThrow(
        new RegExp(`its own ${name}`),
      );
    },
  );
});
