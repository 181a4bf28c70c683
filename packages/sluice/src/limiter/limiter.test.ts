import { describe, expect, test, vi } from "vitest";
import { sluiceAt } from "../../test/sluice-at.js";
import { BadCost, BadOption } from "../errors.js";
import { BadFact } from "../plan/facts.js";
import { MissingSelector } from "../plan/selectors.js";

describe("consume", () => {
  test("answers with every limit of the rule, in its order", async () => {
    const { sluice } = sluiceAt(0);
    const decision = await sluice.limit("ip:5/m or user+ip:20/h gcra").consume({ ip: "x", user: "a" });
    expect(decision).toEqual({
      allowed: true,
      remaining: 4,
      retryAfterMs: 0,
      resetAfterMs: 180_000,
      limits: [
        {
          rule: "ip:5/m",
          selector: "ip",
          limit: 5,
          windowMs: 60_000,
          allowed: true,
          remaining: 4,
          retryAfterMs: 0,
          resetAfterMs: 60_000,
        },
        {
          rule: "user+ip:20/h gcra",
          selector: "user+ip",
          limit: 20,
          windowMs: 3_600_000,
          allowed: true,
          remaining: 19,
          retryAfterMs: 0,
          resetAfterMs: 180_000,
        },
      ],
      refusedBy: [],
      source: "store",
    });
  });

  test("names the limits that refused, and only those", async () => {
    const { sluice } = sluiceAt(0);
    const limiter = sluice.limit("ip:1/m or (user:1/h and apikey:9/h)");
    const facts = { ip: "x", user: "a", apikey: "k" };
    await limiter.consume(facts);
    const decision = await limiter.consume(facts);
    expect(decision.allowed).toBe(false);
    expect(decision.refusedBy.map((status) => status.rule)).toEqual(["ip:1/m"]);
    expect(decision.limits.map((status) => status.allowed)).toEqual([false, false, true]);
    expect(decision.retryAfterMs).toBe(60_000);
  });

  test("where no limit applies, everything is allowed", async () => {
    const { sluice } = sluiceAt(0);
    const decision = await sluice.limit("ip:1/m").consume({ ip: null });
    expect(decision).toMatchObject({
      allowed: true,
      remaining: Number.POSITIVE_INFINITY,
      retryAfterMs: 0,
      resetAfterMs: 0,
    });
    expect(decision.limits).toHaveLength(1);
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "2", null])(
    "refuses a cost of %s",
    async (cost) => {
      const { sluice } = sluiceAt(0);
      const limiter = sluice.limit("5/m");
      for (const call of ["consume", "peek", "refund", "wait", "enter"] as const) {
        await expect(limiter[call]({}, { cost: cost as number })).rejects.toThrow(BadCost);
      }
    },
  );

  test("a limit may have a usual cost, for calls that do not say and for wrapped functions", async () => {
    const { sluice } = sluiceAt(0);
    const limiter = sluice.limit("9/m", { cost: 4, key: "k" });
    expect((await limiter.consume()).remaining).toBe(5);
    expect((await limiter.consume({}, { cost: 1 })).remaining).toBe(4);
    await limiter.wrap(() => 1)();
    expect((await limiter.peek()).remaining).toBe(0);
    expect(() => sluice.limit("9/m", { cost: 0 })).toThrow(BadCost);
  });

  test.each([{ costs: 2 }, { cost: 2, maxwait: 5 }])("refuses the unknown option in %j", async (options) => {
    const { sluice } = sluiceAt(0);
    await expect(sluice.limit("5/m").consume({}, options as never)).rejects.toThrow(BadOption);
  });

  test.each([3, "a", null, true])("refuses options that are %s", async (options) => {
    const { sluice } = sluiceAt(0);
    await expect(sluice.limit("5/m").consume({}, options as never)).rejects.toThrow(BadOption);
  });

  test.each(["user42", 7, null, ["a"]])("refuses facts that are %j", async (facts) => {
    const { sluice } = sluiceAt(0);
    await expect(sluice.limit("user:5/m").consume(facts as never)).rejects.toThrow(BadFact);
  });

  test("rejects, and never throws at once, when a selector is missing", async () => {
    const { sluice } = sluiceAt(0);
    const limiter = sluice.limit("user:5/m");
    for (const call of ["consume", "peek", "refund", "reset", "wait", "enter"] as const) {
      await expect(limiter[call]({})).rejects.toThrow(MissingSelector);
    }
  });
});

describe("charge", () => {
  test("counts what fits, what does not fit, and never more than the limit can hold", async () => {
    const { sluice } = sluiceAt(0);
    const limiter = sluice.limit("user:10/m gcra");
    await limiter.charge({ user: "a" }, { cost: 4 });
    expect(await limiter.peek({ user: "a" })).toMatchObject({ remaining: 6 });
    await limiter.charge({ user: "a" }, { cost: 9 });
    expect(await limiter.peek({ user: "a" })).toMatchObject({ remaining: 0, resetAfterMs: 60_000 });
  });

  test("counts for every limit, also for those under an and that are over", async () => {
    const { sluice } = sluiceAt(0);
    const limiter = sluice.limit("user:5/m or ip:8/m");
    await limiter.charge({ user: "a", ip: "x" }, { cost: 6 });
    const { limits } = await limiter.peek({ user: "a", ip: "x" });
    expect(limits.map(({ remaining }) => remaining)).toEqual([0, 2]);
  });

  test("is told to nobody as a decision, and where no limit applies, counts nothing", async () => {
    const onDecision = vi.fn();
    const { sluice } = sluiceAt(0, { onDecision });
    const limiter = sluice.limit("user:5/m");
    await limiter.charge({ user: null });
    await limiter.charge({ user: "a" });
    expect(onDecision).not.toHaveBeenCalled();
    expect(await limiter.peek({ user: "a" })).toMatchObject({ remaining: 4 });
  });
});

describe("selectors", () => {
  test("a function is called once per request, however many limits use it", async () => {
    const { sluice } = sluiceAt(0);
    const user = vi.fn(() => "a");
    const limiter = sluice.limit("user:5/m or user+ip:3/m or user:9/h", { selectors: { user, ip: "x" } });
    await limiter.consume();
    expect(user).toHaveBeenCalledTimes(1);
  });

  test("a request is checked and charged under one name, though the function changes its mind", async () => {
    const { sluice } = sluiceAt(0);
    let call = 0;
    const limiter = sluice.limit("user:1/m", { selectors: { user: () => `user-${call++}` } });
    await limiter.consume();
    expect((await limiter.peek({ user: "user-0" })).remaining).toBe(0);
    expect((await limiter.peek({ user: "user-1" })).remaining).toBe(1);
  });

  test("a pass is refunded under the name it was charged under", async () => {
    const { sluice } = sluiceAt(0);
    let call = 0;
    const limiter = sluice.limit("user:1/m", { selectors: { user: () => `user-${call++}` } });
    const pass = await limiter.enter();
    await pass.refund();
    expect(call).toBe(1);
    expect((await limiter.peek({ user: "user-0" })).remaining).toBe(1);
  });
});

test("onDecision hears of every decision and of no peek", async () => {
  const onDecision = vi.fn();
  const { sluice } = sluiceAt(0, { onDecision });
  const limiter = sluice.limit("5/m", { key: "k" });
  await limiter.peek();
  await limiter.consume({}, { cost: 2 });
  await limiter.enter();
  await limiter.wait();
  expect(onDecision.mock.calls.map(([event]) => [event.key, event.cost, event.decision.remaining])).toEqual([
    ["k", 2, 3],
    ["k", 1, 2],
    ["k", 1, 1],
  ]);
});
