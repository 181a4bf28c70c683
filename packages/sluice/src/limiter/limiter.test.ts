import { describe, expect, test, vi } from "vitest";
import { BadCost, BadOption } from "../errors.js";
import { BadFact } from "../plan/facts.js";
import { MissingSelector } from "../plan/selectors.js";
import { memoryStore } from "../store/memory/memory-store.js";
import { manualClock } from "../testing/manual-clock.js";
import { RateLimitExceeded } from "./rate-limit-exceeded.js";
import { createSluice, type SluiceOptions } from "./sluice.js";

function sluiceAt(startMs: number, options: SluiceOptions = {}) {
  const clock = manualClock(startMs * 1000);
  return { clock, sluice: createSluice({ store: memoryStore({ clock }), ...options }) };
}

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

describe("rules as functions of the facts", () => {
  test("choose a rule for each request", async () => {
    const { sluice } = sluiceAt(0);
    const limiter = sluice.limit(({ plan }) =>
      plan === "pro" ? "user:3/h" : { selector: "user", limit: 1, per: "h" },
    );
    expect((await limiter.consume({ user: "a", plan: "pro" })).remaining).toBe(2);
    expect((await limiter.consume({ user: "b", plan: "free" })).remaining).toBe(0);
    expect((await limiter.consume({ user: "b", plan: "free" })).allowed).toBe(false);
  });

  test("see the limiter's selectors too, and each of those is called once", async () => {
    const { sluice } = sluiceAt(0);
    const user = vi.fn((...args: string[]) => args[0]);
    const plan = vi.fn(() => "pro");
    const work = sluice
      .limit((facts) => (facts.plan === "pro" ? "user:2/h" : "user:1/h"), { selectors: { user, plan } })
      .wrap(async (name: string) => name);
    await work("a");
    await work("a");
    await expect(work("a")).rejects.toThrow(RateLimitExceeded);
    expect(user).toHaveBeenCalledTimes(3);
    expect(plan).toHaveBeenCalledTimes(3);
  });

  test("see what the decorated instance knows, each method called once", async () => {
    const { sluice } = sluiceAt(0);
    const user = vi.fn(() => "a");
    class Api {
      plan = "pro";
      user = user;
      @sluice.limit(({ plan }) => (plan === "pro" ? "user:2/h" : "user:1/h"))
      async call() {
        return 1;
      }
    }
    const api = new Api();
    await api.call();
    await api.call();
    await expect(api.call()).rejects.toThrow(RateLimitExceeded);
    expect(user).toHaveBeenCalledTimes(3);
  });

  test("a null from the selectors is an answer, though the instance knows better; and each is asked once", async () => {
    const { sluice } = sluiceAt(0);
    const user = vi.fn(() => null);
    const plan = vi.fn(() => undefined);
    const limiter = sluice.limit(({ plan }) => (plan === undefined ? "user:1/h or 9/h" : "1/h"), {
      selectors: { user, plan },
    });
    const work = { user: "ada", run: limiter.wrap(() => 1) };
    for (const _ of "123") await work.run();
    expect(user).toHaveBeenCalledTimes(3);
    expect(plan).toHaveBeenCalledTimes(3);
  });

  test("must answer at once", async () => {
    const { sluice } = sluiceAt(0);
    const limiter = sluice.limit((async () => "1/h") as never);
    await expect(limiter.consume()).rejects.toThrow("returned a Promise");
  });

  test("a bad choice is reported to the caller", async () => {
    const { sluice } = sluiceAt(0);
    await expect(sluice.limit(() => "10/sec").consume()).rejects.toThrow('Did you mean "10/s"?');
  });
});

describe("countRefused", () => {
  test("keeps the retry promise under Or: what fitted but was charged with the refusal counts too", async () => {
    const { clock, sluice } = sluiceAt(0);
    const limiter = sluice.limit("a:1/s or b:1/h", { countRefused: true });
    await limiter.consume({ a: "x", b: "other" });
    const refused = await limiter.consume({ a: "x", b: "y" });
    expect(refused).toMatchObject({ allowed: false, retryAfterMs: 3_600_000 });
    expect(refused.limits.map(({ allowed }) => allowed)).toEqual([false, false]);
    clock.advance(3_599_999);
    expect((await limiter.peek({ a: "x", b: "y" })).allowed).toBe(false);
    clock.advance(1);
    expect((await limiter.consume({ a: "x", b: "y" })).allowed).toBe(true);
  });

  test("a pass in shadow mode gives back what the refusal was charged", async () => {
    const { sluice } = sluiceAt(0);
    const limiter = sluice.limit("user:5/m", { shadow: true, countRefused: true });
    await limiter.consume({ user: "a" }, { cost: 5 });
    await (await limiter.enter({ user: "a" }, { cost: 2 })).refund();
    expect((await limiter.peek({ user: "a" })).remaining).toBe(2);
  });

  test("hammering keeps a client out until it pauses", async () => {
    const { clock, sluice } = sluiceAt(0);
    const limiter = sluice.limit("user:2/s", { countRefused: true });
    for (let time = 0; time < 20; time += 1) {
      const { allowed } = await limiter.consume({ user: "a" });
      expect(allowed).toBe(time < 2);
      clock.advance(400);
    }
    clock.advance(1_000);
    expect((await limiter.consume({ user: "a" })).allowed).toBe(true);
  });
});

describe("shadow", () => {
  test("decides and reports, and never refuses", async () => {
    const onDecision = vi.fn();
    const { sluice } = sluiceAt(0, { onDecision });
    const limiter = sluice.limit("user:1/m", { shadow: true, key: "trial" });
    await limiter.consume({ user: "a" });
    const decision = await limiter.consume({ user: "a" });
    expect(decision).toMatchObject({ allowed: true, retryAfterMs: 0, refusedBy: [] });
    expect(decision.shadow).toMatchObject({ allowed: false, retryAfterMs: 60_000 });
    expect(decision.shadow?.refusedBy.map((status) => status.rule)).toEqual(["user:1/m"]);
    expect(onDecision).toHaveBeenLastCalledWith({ key: "trial", cost: 1, decision });
    await expect(limiter.enter({ user: "a" })).resolves.toBeDefined();
    await expect(limiter.wait({ user: "a" })).resolves.toMatchObject({ allowed: true });
  });

  test("a refund of what was not charged gives nothing back", async () => {
    const { sluice } = sluiceAt(0);
    const limiter = sluice.limit("user:1/m", { shadow: true });
    await limiter.consume({ user: "a" });
    const pass = await limiter.enter({ user: "a" });
    await pass.refund();
    expect((await limiter.peek({ user: "a" })).remaining).toBe(0);
  });
});

describe("enter", () => {
  test("throws RateLimitExceeded, which carries the decision", async () => {
    const { sluice } = sluiceAt(0);
    const limiter = sluice.limit("user:1/m");
    {
      await using pass = await limiter.enter({ user: "a" });
      expect(pass.decision.remaining).toBe(0);
    }
    const refusal = await limiter.enter({ user: "a" }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(RateLimitExceeded);
    expect(refusal).toMatchObject({
      name: "RateLimitExceeded",
      code: "SLUICE_RATE_LIMIT_EXCEEDED",
      message: "Refused by user:1/m: try again in 1m.",
      decision: { allowed: false, retryAfterMs: 60_000 },
    });
  });

  test("leaving the scope waits for a refund that was not awaited", async () => {
    const store = memoryStore({ clock: manualClock(0) });
    let refunded = false;
    const slow = {
      decide: store.decide.bind(store),
      peek: store.peek.bind(store),
      reset: store.reset.bind(store),
      close: store.close.bind(store),
      async refund() {
        await new Promise((resolve) => setImmediate(resolve));
        refunded = true;
      },
    };
    {
      await using pass = await createSluice({ store: slow }).limit("1/m").enter();
      pass.refund();
    }
    expect(refunded).toBe(true);
  });

  test("a pass is refunded once", async () => {
    const { sluice } = sluiceAt(0);
    const limiter = sluice.limit("user:5/m");
    await limiter.consume({ user: "a" }, { cost: 2 });
    {
      await using pass = await limiter.enter({ user: "a" }, { cost: 2 });
      pass.refund();
      pass.refund();
    }
    expect((await limiter.peek({ user: "a" })).remaining).toBe(3);
  });
});

describe("wrap", () => {
  test("limits a function under its own name, and passes arguments, this and results through", async () => {
    const { sluice } = sluiceAt(0);
    const limiter = sluice.limit("user:1/m", { selectors: { user: (name: string) => name } });
    const post = {
      sender: "post",
      send: limiter.wrap(function send(this: { sender: string }, to: string, text: string) {
        return `${this.sender}: ${text} to ${to}`;
      }),
    };
    expect(await post.send("ada", "hi")).toBe("post: hi to ada");
    await expect(post.send("ada", "hi")).rejects.toThrow(RateLimitExceeded);
    expect(await post.send("bob", "hi")).toBe("post: hi to bob");
    expect(post.send.name).toBe("send");
    expect(post.send.length).toBe(2);

    const other = limiter.wrap(async function other(name: string) {
      return name;
    });
    expect(await other("ada")).toBe("ada");
  });

  test.each([undefined, 5, "f"])("%s cannot be wrapped", (work) => {
    const { sluice } = sluiceAt(0);
    expect(() => sluice.limit("1/m").wrap(work as never)).toThrow(BadOption);
  });

  test("with a key, functions share their counters", async () => {
    const { sluice } = sluiceAt(0);
    const limiter = sluice.limit("2/m", { key: "shared" });
    const one = limiter.wrap(() => 1);
    const two = limiter.wrap(() => 2);
    expect([await one(), await two()]).toEqual([1, 2]);
    await expect(one()).rejects.toThrow(RateLimitExceeded);
  });

  test("what the function throws goes through, and stays charged", async () => {
    const { sluice } = sluiceAt(0);
    const failing = sluice.limit("1/m").wrap(() => {
      throw new TypeError("own");
    });
    await expect(failing()).rejects.toThrow(TypeError);
    await expect(failing()).rejects.toThrow(RateLimitExceeded);
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
