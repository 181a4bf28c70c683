import { describe, expect, test } from "vitest";
import { BadOption } from "../errors.js";
import { toRule } from "../rule/input.js";
import { slotOf } from "../store/redis/slot.js";
import { keysOf } from "./plan.js";
import { createPlanner } from "./planner.js";

function keysFor(
  rule: string,
  facts: Record<string, string | null>,
  colocate: string | undefined = "tenant",
) {
  const planner = createPlanner(toRule(rule), { namespace: "shop", key: "k", countRefused: false, colocate });
  return keysOf(planner({ facts }, 1));
}

describe("colocate", () => {
  test("keeps all counters of a request in the slot of one value", () => {
    const keys = keysFor("tenant:100/m or user:10/m or user+ip:5/m", {
      tenant: "acme",
      user: "a:b",
      ip: "::1",
    });
    expect(keys).toEqual([
      "shop:{tenant:acme}:k:sliding-log2,100,60000000",
      "shop:{tenant:acme}:user:a%3Ab:k:sliding-log2,10,60000000",
      "shop:{tenant:acme}:user+ip:a%3Ab+%3A%3A1:k:sliding-log2,5,60000000",
    ]);
    expect(new Set(keys.map(slotOf)).size).toBe(1);
  });

  test("leaves the key of a limit on that value itself as it is", () => {
    expect(keysFor("tenant:100/m", { tenant: "acme" })).toEqual(
      keysFor("tenant:100/m", { tenant: "acme" }, undefined),
    );
  });

  test("counts a user of one tenant apart from the same user of another, and of none", () => {
    const of = (tenant: string | null) => keysFor("user:10/m", { tenant, user: "a" })[0];
    expect(new Set([of("acme"), of("other"), of(null)]).size).toBe(3);
  });

  test("is refused for a limit on all calls", () => {
    expect(() => keysFor("10/s or user:1/s", { tenant: "a", user: "b" })).toThrow(BadOption);
  });
});
