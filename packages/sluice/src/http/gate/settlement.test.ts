import { describe, expect, test, vi } from "vitest";
import { sluiceAt } from "../../../test/sluice-at.js";
import { createSluice, type Sluice } from "../../limiter/sluice.js";
import { memoryStore } from "../../store/memory/memory-store.js";
import type { HttpRequest } from "../request.js";
import { createGate } from "./gate.js";
import type { GateOptions } from "./options.js";

const RULE = "ip:10/h";
const REQUEST: HttpRequest = { method: "GET", path: "/", address: "203.0.113.7", header: () => undefined };

interface Reply {
  readonly tokens: number;
}

type Options = GateOptions<string, Reply>;

function gateWith(options: Options, sluice: Sluice = sluiceAt(0).sluice) {
  const gate = createGate<string, Reply>(RULE, { sluice, ...options });
  return {
    enter: () => gate.enter("native", REQUEST),
    left: async () => (await sluice.limit(RULE).peek({ ip: "203.0.113.7" })).remaining,
  };
}

const reply = (tokens: number, status = 200) => ({ status, aborted: false, native: { tokens } });
const byTokens: Options["settle"] = ({ native }) => native.tokens;

describe("what was reserved is made good", () => {
  test.each<[Options["cost"], number, number, number]>([
    [undefined, 1, 9, 9],
    [undefined, 0, 9, 10],
    [undefined, 4, 9, 6],
    [5, 5, 5, 5],
    [5, 2, 5, 8],
    [5, 0, 5, 10],
    [5, 8, 5, 2],
    [5, 99, 5, 0],
    [() => 0, 3, 10, 7],
    [() => 0, 0, 10, 10],
  ])("cost %s, in truth %i: %i left, then %i", async (cost, tokens, before, after) => {
    const { enter, left } = gateWith({ cost, settle: byTokens });
    const passage = await enter();
    expect(await left()).toBe(before);
    if (passage.pass) await passage.settle?.(reply(tokens));
    expect(await left()).toBe(after);
  });

  test("only failed logins count", async () => {
    const { enter } = gateWith({ settle: async ({ status }) => (status === 401 ? 1 : 0) });
    const attempt = async (status: number) => {
      const passage = await enter();
      if (!passage.pass) return passage.refusal.status;
      await passage.settle?.(reply(0, status));
      return status;
    };
    for (let time = 0; time < 30; time += 1) expect(await attempt(200)).toBe(200);
    for (let time = 0; time < 10; time += 1) expect(await attempt(401)).toBe(401);
    expect(await attempt(200)).toBe(429);
  });

  test("once, however often it is called", async () => {
    const { enter, left } = gateWith({ settle: byTokens });
    const passage = await enter();
    if (passage.pass) await Promise.all([passage.settle?.(reply(3)), passage.settle?.(reply(5))]);
    expect(await left()).toBe(7);
  });

  test("with what is known of a response that did not end", async () => {
    const settle = vi.fn(() => 0);
    const passage = await gateWith({ settle }).enter();
    const response = { status: 200, aborted: true, native: { tokens: 1 } };
    if (passage.pass) await passage.settle?.(response);
    expect(settle).toHaveBeenCalledWith(response, "native", passage.decision);
  });

  test("though the socket is gone by then", async () => {
    const { sluice } = sluiceAt(0);
    const gate = createGate<string, Reply>(sluice.limit(RULE), { settle: byTokens });
    const socket: { address: string | undefined } = { address: "203.0.113.7" };
    const passage = await gate.enter("native", {
      ...REQUEST,
      get address() {
        return socket.address;
      },
    });
    socket.address = undefined;
    if (passage.pass) await passage.settle?.(reply(4));
    expect((await sluice.limit(RULE).peek({ ip: "203.0.113.7" })).remaining).toBe(6);
  });

  test("though the limiter has another cost of its own", async () => {
    const { sluice } = sluiceAt(0);
    const gate = createGate<string, Reply>(sluice.limit(RULE, { cost: 5 }), { settle: byTokens });
    const passage = await gate.enter("native", REQUEST);
    if (passage.pass) await passage.settle?.(reply(0));
    expect((await sluice.limit(RULE).peek({ ip: "203.0.113.7" })).remaining).toBe(10);
  });
});

describe("in shadow mode", () => {
  test.each([
    [false, undefined, 0],
    [true, 3, 0],
  ])(
    "what would be refused is not settled, unless it was charged: %s",
    async (countRefused, tokens, after) => {
      const { sluice } = sluiceAt(0);
      await sluice.limit(RULE).consume({ ip: "203.0.113.7" }, { cost: 10 });
      const { enter, left } = gateWith({ shadow: true, countRefused, settle: byTokens }, sluice);
      const passage = await enter();
      expect(passage.pass && passage.settle !== undefined).toBe(tokens !== undefined);
      if (passage.pass) await passage.settle?.(reply(tokens ?? 0));
      expect(await left()).toBe(after);
    },
  );

  test("what passes is settled", async () => {
    const { enter, left } = gateWith({ shadow: true, settle: byTokens });
    const passage = await enter();
    if (passage.pass) await passage.settle?.(reply(4));
    expect(await left()).toBe(6);
  });
});

test("what a failure policy let in was charged nowhere, so that nothing is refunded", async () => {
  const inner = memoryStore();
  const unused = { allowed: true, remaining: 10, retryAfterMs: 0, resetAfterMs: 0 };
  const refund = vi.fn();
  const store = {
    decide: () => ({ allowed: true, verdicts: [unused], source: "fallback", policy: "allow" }) as const,
    peek: inner.peek.bind(inner),
    charge: vi.fn(),
    refund,
    reset: vi.fn(),
    close: vi.fn(),
  };
  const { enter } = gateWith({ settle: () => 0 }, createSluice({ store }));
  const passage = await enter();
  if (passage.pass) await passage.settle?.(reply(0));
  expect(refund).not.toHaveBeenCalled();
});

describe("settling never rejects", () => {
  test.each([Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY, 2 ** 53, "1", undefined])(
    "a cost of %s is told once, and the reserve stays",
    async (cost) => {
      const onWarning = vi.fn();
      const { enter, left } = gateWith({ settle: () => cost as number, onWarning });
      for (let time = 0; time < 2; time += 1) {
        const passage = await enter();
        if (passage.pass) await passage.settle?.(reply(0));
      }
      expect(onWarning).toHaveBeenCalledTimes(1);
      expect(onWarning.mock.calls[0]?.[0]).toMatch(/^settle gives a whole number/);
      expect(await left()).toBe(8);
    },
  );

  const failures: readonly Options["settle"][] = [
    () => {
      throw new Error("mine");
    },
    () => Promise.reject(new Error("mine")),
  ];

  test.each(failures)("what the function throws goes to onError, each time", async (settle) => {
    const onError = vi.fn(() => {
      throw new Error("and more");
    });
    const { enter } = gateWith({ settle, onError });
    for (let time = 0; time < 2; time += 1) {
      const passage = await enter();
      if (passage.pass) await expect(passage.settle?.(reply(0))).resolves.toBeUndefined();
    }
    expect(onError.mock.calls).toEqual([[new Error("mine")], [new Error("mine")]]);
  });

  test("or is warned of, once", async () => {
    const onWarning = vi.fn();
    const { enter } = gateWith({ settle: failures[0], onWarning });
    for (let time = 0; time < 2; time += 1) {
      const passage = await enter();
      if (passage.pass) await passage.settle?.(reply(0));
    }
    expect(onWarning.mock.calls).toEqual([[expect.stringMatching(/^A request could not be settled: mine/)]]);
  });

  test("a store that is gone does not matter either", async () => {
    const onError = vi.fn();
    const sluice = createSluice();
    const { enter } = gateWith({ settle: () => 0, onError }, sluice);
    const passage = await enter();
    await sluice.close();
    if (passage.pass) await passage.settle?.(reply(0));
    expect(onError).toHaveBeenCalledTimes(1);
  });
});
