import { describe, expect, test, vi } from "vitest";
import { sluiceAt } from "../../test/sluice-at.js";
import { RateLimitExceeded } from "./rate-limit-exceeded.js";

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
