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
  const seen: Second[] = [];
  view.watch({ second: (second) => seen.push(second), reconfigured() {} });
  view.tick(10_000);
  view.tick(11_000);
  const us = expect.any(Number);
  expect(seen).toEqual([
    {
      at: 9,
      limits: { login: [2, 1, 0, 0, 0, us, us], trial: [3, 0, 2, 0, 0, us, us] },
      commands: { RATELIMIT: [0, 1, 0, 1, 0, 1023, 1023] },
      store: { describe: "memory", keys: 2, failures: 0 },
    },
    { at: 10, limits: {}, commands: {}, store: { describe: "memory", keys: 2, failures: 0 } },
  ]);
  expect(view.past().seconds.map(([after, ...numbers]) => [view.oldest + after, ...numbers])).toEqual([
    [9, 7, 0],
    [10, 0, 0],
  ]);
  expect(view.historyOf("limit", "login")).toEqual([[9 - view.oldest, ...seen[0]!.limits["login"]!]]);
  expect(view.historyOf("command", "RATELIMIT")).toHaveLength(1);
  expect(view.historyOf("limit", "idle")).toBeUndefined();
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

test("the past is bounded, and has no row for what was not seen", async () => {
  const { view, limits } = viewed({ login: { rule: "1000/s" } });
  for (let second = 1; second <= PAST_SECONDS + 50; second += 1) {
    if (second === 100) continue;
    if (second % 2 === 0) await limits.get("login")!.limiter.consume();
    view.tick((second + 1) * 1000);
  }
  expect(view.oldest).toBe(51);
  const { seconds } = view.past();
  expect(seconds).toHaveLength(PAST_SECONDS - 1);
  expect(seconds.map(([after]) => view.oldest + after)).not.toContain(100);
  expect(view.historyOf("limit", "login")!.map(([after]) => (view.oldest + after) % 2)).toEqual(
    new Array(PAST_SECONDS / 2 - 1).fill(0),
  );
});

test("a clock that is set back goes on from there", () => {
  const { view } = viewed({});
  for (const second of [50, 51, 52, 40, 41]) view.tick((second + 1) * 1000);
  const known = view.past().seconds.map(([after]) => view.oldest + after);
  expect(known).toEqual([40, 41]);
});

test("limits that are gone are forgotten", async () => {
  const { view, limits } = viewed({ login: { rule: "user:2/h" }, mail: { rule: "user:2/h" } });
  for (const name of ["login", "mail"]) await limits.get(name)!.limiter.consume({ user: "ada" });
  view.tick(10_000);
  view.reconfigured(new Map([["mail", {}]]));
  expect([view.historyOf("limit", "login"), view.identitiesOf("login")]).toEqual([undefined, undefined]);
  expect(view.historyOf("limit", "mail")).toHaveLength(1);
});
