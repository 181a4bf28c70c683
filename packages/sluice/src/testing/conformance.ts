/** What every store must do, as cases for any test runner. */
import { ALGORITHM_NAMES } from "../algorithm/registry.js";
import type { Limiter } from "../limiter/limiter.js";
import { createSluice, type Sluice } from "../limiter/sluice.js";
import { type ManualClock, manualClock } from "./manual-clock.js";
import { type CreateStore, freshNamespace, runScenario } from "./run-scenario.js";
import { SCENARIOS } from "./scenarios.js";

export interface ConformanceCase {
  readonly name: string;
  /** Rejects when the store does not conform. */
  run(): Promise<void>;
}

/** Each case makes a store of its own and closes it. */
export function storeConformance(createStore: CreateStore): readonly ConformanceCase[] {
  const timelines = ALGORITHM_NAMES.flatMap((algorithm) =>
    SCENARIOS[algorithm].map((scenario) => ({
      name: `${algorithm}: ${scenario.rule}: ${scenario.title}`,
      run: () => runScenario(scenario, createStore),
    })),
  );
  const properties = Object.entries(PROPERTIES).map(([name, check]) => ({
    name,
    async run() {
      const clock = manualClock(START);
      const store = await createStore({ clock });
      try {
        await check(createSluice({ namespace: freshNamespace(), store }), clock);
      } finally {
        await store.close();
      }
    },
  }));
  return [...timelines, ...properties];
}

const START = 1_700_000_000_000_000;

const PROPERTIES: Readonly<Record<string, (sluice: Sluice, clock: ManualClock) => Promise<void>>> = {
  async "a refused plan charges none of its limits"(sluice) {
    const both = sluice.limit("user:1/h or ip:5/h");
    const byIp = sluice.limit("ip:5/h");
    await expectAllowed(both, { user: "a", ip: "x" }, true);
    await expectAllowed(both, { user: "a", ip: "x" }, false);
    await expectRemaining(byIp, { ip: "x" }, 4);
  },

  async "an allowed plan charges all of its limits, also one that is over under an And"(sluice, clock) {
    const both = sluice.limit("user:1/10s and ip:3/10s");
    const byUser = sluice.limit("user:1/10s");
    await expectAllowed(both, { user: "a", ip: "x" }, true);
    clock.advance(6_000);
    await expectAllowed(both, { user: "a", ip: "x" }, true);
    clock.advance(4_000);
    await expectAllowed(byUser, { user: "a" }, false);
  },

  async "checks with the same key are one check, charged once"(sluice) {
    const twice = sluice.limit("user:4/h or user:4/h");
    await expectAllowed(twice, { user: "a" }, true);
    await expectRemaining(twice, { user: "a" }, 3);
  },

  async "null is not over and is not charged"(sluice) {
    const either = sluice.limit("user:1/h or ip:2/h");
    await expectAllowed(either, { user: "a", ip: "x" }, true);
    await expectAllowed(either, { user: null, ip: "x" }, true);
    await expectAllowed(either, { user: null, ip: "x" }, false);
    await expectAllowed(either, { user: null, ip: null }, true);
    await expectRemaining(either, { user: "a", ip: null }, 0);
  },

  async "peek never charges"(sluice) {
    for (const algorithm of ALGORITHM_NAMES) {
      const limiter = sluice.limit(`user:3/h ${algorithm}`);
      for (let time = 0; time < 5; time += 1) await limiter.peek({ user: "a" }, { cost: 2 });
      await expectRemaining(limiter, { user: "a" }, 3);
    }
  },

  async "a refund gives back to every limit of the plan, and never more than was used"(sluice) {
    for (const algorithm of ALGORITHM_NAMES) {
      const both = sluice.limit(`user:5/h ${algorithm} or ip:9/h ${algorithm}`);
      const byIp = sluice.limit(`ip:9/h ${algorithm}`);
      await both.consume({ user: "a", ip: "x" }, { cost: 4 });
      await both.refund({ user: "a", ip: "x" }, { cost: 3 });
      await expectRemaining(both, { user: "a", ip: "x" }, 4);
      await expectRemaining(byIp, { ip: "x" }, 8);
      await both.refund({ user: "a", ip: "x" }, { cost: 7 });
      await expectRemaining(both, { user: "a", ip: "x" }, 5);
    }
  },

  async "a reset forgets these facts and no others"(sluice) {
    for (const algorithm of ALGORITHM_NAMES) {
      const limiter = sluice.limit(`user:5/h ${algorithm}`);
      await limiter.consume({ user: "a" }, { cost: 3 });
      await limiter.consume({ user: "b" }, { cost: 3 });
      await limiter.reset({ user: "a" });
      await expectRemaining(limiter, { user: "a" }, 5);
      await expectRemaining(limiter, { user: "b" }, 2);
    }
  },

  async "of many at once, exactly as many as the limit are admitted"(sluice) {
    for (const algorithm of ALGORITHM_NAMES) {
      const limiter = sluice.limit(`user:100/h ${algorithm}`);
      const decisions = await Promise.all(Array.from({ length: 400 }, () => limiter.consume({ user: "a" })));
      expectEqual(`admitted by ${algorithm}`, decisions.filter((decision) => decision.allowed).length, 100);
    }
  },

  async "values that look like keys, patterns or markup stay apart"(sluice) {
    const limiter = sluice.limit("user:1/h or user+ip:1/h");
    const values = [
      "a",
      "a:b",
      "a}b",
      "{a}",
      "*",
      "a*",
      "a+b",
      "%61",
      "#a",
      "a\u0000",
      "a\u0000b",
      "\ud800",
      "é",
      "e\u0301",
    ];
    for (const user of values) await expectAllowed(limiter, { user, ip: "x" }, true);
    for (const user of values) await expectAllowed(limiter, { user, ip: "x" }, false);
  },

  async "the same rule counts apart under different keys"(sluice) {
    const login = sluice.limit("user:1/h", { key: "login" });
    const signup = sluice.limit("user:1/h", { key: "signup" });
    await expectAllowed(login, { user: "a" }, true);
    await expectAllowed(signup, { user: "a" }, true);
    await expectAllowed(sluice.limit({ key: "login" }), { user: "a" }, false);
  },

  async "a cost far beyond every limit is refused and leaves no trace"(sluice) {
    for (const algorithm of ALGORITHM_NAMES) {
      const limiter = sluice.limit(`user:5/h ${algorithm}`);
      const { allowed, retryAfterMs } = await limiter.consume(
        { user: "a" },
        { cost: Number.MAX_SAFE_INTEGER },
      );
      expectEqual(`${algorithm} allowed`, allowed, false);
      expectEqual(`${algorithm} retryAfterMs`, retryAfterMs, Number.POSITIVE_INFINITY);
      await expectRemaining(limiter, { user: "a" }, 5);
    }
  },

  async "a limit over a year holds to the millisecond"(sluice, clock) {
    const year = 365 * 86_400_000;
    for (const algorithm of ["sliding-log", "gcra"]) {
      const limiter = sluice.limit(`user:1/365d ${algorithm}`);
      const begin = clock();
      await expectAllowed(limiter, { user: "a" }, true);
      clock.advance(year - 1);
      await expectAllowed(limiter, { user: "a" }, false);
      clock.advance(1);
      await expectAllowed(limiter, { user: "a" }, true);
      clock.set(begin);
    }
  },
};

async function expectAllowed(
  limiter: Limiter,
  facts: Record<string, string | null>,
  allowed: boolean,
): Promise<void> {
  expectEqual(`allowed for ${JSON.stringify(facts)}`, (await limiter.consume(facts)).allowed, allowed);
}

async function expectRemaining(
  limiter: Limiter,
  facts: Record<string, string | null>,
  remaining: number,
): Promise<void> {
  expectEqual(`remaining for ${JSON.stringify(facts)}`, (await limiter.peek(facts)).remaining, remaining);
}

function expectEqual(what: string, got: unknown, expected: unknown): void {
  if (!Object.is(got, expected)) throw new Error(`Expected ${what} to be ${expected}, got ${got}.`);
}
