import { describe, expect, test } from "vitest";
import { sluiceAt } from "../../test/sluice-at.js";
import { memoryStore } from "../store/memory/memory-store.js";
import { manualClock } from "../testing/manual-clock.js";
import { RateLimitExceeded } from "./rate-limit-exceeded.js";
import { createSluice } from "./sluice.js";

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
