/** The limits of a configuration by name, as every surface asks them. */
import { createSluice, type DecisionEvent, type Limiter, type Store, selectorsOf, toRule } from "sluice";
import type { Config, LimitConfig } from "../config/config.js";

export interface NamedLimit {
  readonly name: string;
  readonly config: LimitConfig;
  /** The selectors of its rule, in the order in which they first appear. */
  readonly selectors: readonly string[];
  readonly limiter: Limiter;
}

export type LimitAction = "consume" | "peek" | "refund" | "reset";

export interface NamedLimits {
  get(name: string): NamedLimit | undefined;
  all(): readonly NamedLimit[];
  /** Takes what another configuration says from now on; limits that did not change keep their counters. */
  replace(config: Config): void;
}

/** What every surface tells of what it was asked. */
export interface LimitsOptions {
  readonly store: Store;
  readonly onDecision?: (name: string, event: DecisionEvent) => void;
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

function boundLimits(
  { namespace, limits }: Config,
  { store, onDecision }: LimitsOptions,
): Map<string, NamedLimit> {
  return new Map(
    [...limits].map(([name, config]) => {
      const { rule, ...others } = config;
      const sluice = createSluice({
        namespace,
        store,
        onDecision: onDecision && ((event) => onDecision(name, event)),
      });
      const limiter = sluice.limit(rule, { ...others, key: name });
      return [name, { name, config, selectors: selectorsOf(toRule(rule)), limiter }];
    }),
  );
}
