import { memoryStore } from "sluice";
import { expect, test } from "vitest";
import { createNamedLimits } from "../limits/named-limits.js";
import type { Second } from "./live-messages.js";
import { createLiveView, PAST_SECONDS } from "./live-view.js";

function viewed(limits: Readonly<Record<string, object>>) {
  const store = memoryStore();
  const opened = {
    kind: "memory",
    store,
    describe: "memory",
    ready: async () => {},
    close: async () => {},
  } as const;
  const view = createLiveView(opened);
  const config = {
    namespace: "test",
    store: { url: "memory" },
    tokens: [],
    limits: new Map(Object.entries(limits).map(([name, limit]) => [name, limit as { rule: string }])),
  };
  return { view, limits: createNamedLimits(config, { store, onDecision: view.onDecision }) };
}

test("a second has what was decided in it, and only limits that were asked", async () => {
  const { view, limits } = viewed({
    login: { rule: "user:2/h" },
    trial: { rule: "user:1/h", shadow: true },
    idle: { rule: "1/h" },
  });
  for (let time = 0; time < 3; time += 1) await limits.get("login")!.limiter.consume({ user: "ada" });
  for (let time = 0; time < 3; time += 1) await limits.get("trial")!.limiter.consume({ user: "ada" });
  view.onRateLimit({ allowed: false, verdicts: [], source: "fallback" });
  view.tookRateLimit(1);
  view.tick(10_000);
  view.tick(11_000);
  const [first, second] = view.since(0);
  expect(first).toMatchObject({
    at: 9,
    limits: {
      login: { allowed: 2, refused: 1, shadowRefused: 0, fallback: 0, cache: 0 },
      trial: { allowed: 3, refused: 0, shadowRefused: 2 },
    },
    commands: { RATELIMIT: { allowed: 0, refused: 1, fallback: 1, p50Ms: expect.closeTo(1, 1) } },
    store: { describe: "memory", keys: 2, failures: 0 },
  });
  expect(Object.keys(first!.limits)).toEqual(["login", "trial"]);
  expect(second).toMatchObject({ at: 10, limits: {}, commands: {} });
  expect(view.identitiesOf("trial")?.mostRefused()).toMatchObject([{ values: ["ada"], count: 2 }]);
  expect(view.identitiesOf("idle")).toBeUndefined();
});

test("watchers are told of each second as it ends, until they leave", () => {
  const { view } = viewed({});
  const seen: Second[] = [];
  const leave = view.watch({ second: (second) => seen.push(second), reconfigured() {} });
  view.tick(5_000);
  leave();
  view.tick(6_000);
  expect(seen.map(({ at }) => at)).toEqual([4]);
});

test("the past is bounded, and whoever was away gets what it missed", () => {
  const { view } = viewed({});
  for (let second = 1; second <= PAST_SECONDS + 50; second += 1) view.tick(second * 1000);
  expect(view.since(0)).toHaveLength(PAST_SECONDS);
  expect(view.since(PAST_SECONDS + 46).map(({ at }) => at)).toEqual([
    PAST_SECONDS + 47,
    PAST_SECONDS + 48,
    PAST_SECONDS + 49,
  ]);
});
