/** The limits of a configuration by name, as every surface asks them. */
import {
  type CostOptions,
  createSluice,
  type Decision,
  type Facts,
  type Limiter,
  type Store,
  selectorsOf,
  toRule,
} from "sluice";
import type { Config, LimitConfig } from "../config/config.js";

export interface NamedLimit {
  readonly name: string;
  readonly config: LimitConfig;
  /** The selectors of its rule, in the order in which they first appear. */
  readonly selectors: readonly string[];
  readonly limiter: NamedLimiter;
}

export type LimitAction = "consume" | "peek" | "refund" | "reset";

export type NamedLimiter = Pick<Limiter, LimitAction>;

export interface NamedLimits {
  get(name: string): NamedLimit | undefined;
  all(): readonly NamedLimit[];
  /** Takes what another configuration says from now on; limits that did not change keep their counters. */
  replace(config: Config): void;
}

/** A decision that was asked for by name. */
export interface LimitEvent {
  readonly selectors: readonly string[];
  readonly facts: Facts;
  readonly decision: Decision;
  /** From the question to the answer. */
  readonly milliseconds: number;
}

export type OnLimitDecision = (name: string, event: LimitEvent) => void;

export interface LimitsOptions {
  readonly store: Store;
  readonly onDecision?: OnLimitDecision;
}

export function createNamedLimits(config: Config, options: LimitsOptions): NamedLimits {
  let limits = boundLimits(config, options);
  return {
    get: (name) => limits.get(name),
    all: () => [...limits.values()],
    replace(next) {
      limits = boundLimits(next, options);
    },
  };
}

function boundLimits({ namespace, limits }: Config, options: LimitsOptions): Map<string, NamedLimit> {
  const { store, onDecision } = options;
  return new Map(
    [...limits].map(([name, config]) => {
      const { rule, ...others } = config;
      const selectors = selectorsOf(toRule(rule));
      const limiter = createSluice({ namespace, store }).limit(rule, { ...others, key: name });
      const tell =
        onDecision && ((event: Omit<LimitEvent, "selectors">) => onDecision(name, { selectors, ...event }));
      return [name, { name, config, selectors, limiter: tell ? telling(limiter, tell) : limiter }];
    }),
  );
}

/** Every decision is told with what was asked and how long it took. */
function telling(limiter: Limiter, tell: (event: Omit<LimitEvent, "selectors">) => void): NamedLimiter {
  return {
    peek: limiter.peek,
    refund: limiter.refund,
    reset: limiter.reset,
    async consume(facts: Facts = {}, options?: CostOptions) {
      const start = performance.now();
      const decision = await limiter.consume(facts, options);
      tell({ facts, decision, milliseconds: performance.now() - start });
      return decision;
    },
  };
}
