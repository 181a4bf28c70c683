import { describe, expect, test, vi } from "vitest";
import { sluiceAt } from "../../test/sluice-at.js";

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

  test("a refusal that was charged gives nothing back, in shadow mode either", async () => {
    const { sluice } = sluiceAt(0);
    const limiter = sluice.limit("user:5/m", { shadow: true, countRefused: true });
    await limiter.consume({ user: "a" }, { cost: 5 });
    await (await limiter.enter({ user: "a" }, { cost: 2 })).refund();
    expect((await limiter.peek({ user: "a" })).remaining).toBe(0);
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
