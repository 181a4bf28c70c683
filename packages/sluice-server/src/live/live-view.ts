/** What has happened, second by second: counted as it happens, remembered for minutes, told to whoever watches. */
import type { PlanVerdict } from "sluice";
import type { OnLimitDecision } from "../limits/named-limits.js";
import type { OpenedStore } from "../store/open-store.js";
import { Identities } from "./identities.js";
import type { Second, StoreState, Tally } from "./live-messages.js";
import { RunningTally } from "./tally.js";

export const PAST_SECONDS = 600;
/** Identities are counted over the last two of these. */
export const IDENTITY_WINDOW_SECONDS = 150;

export interface LiveView {
  onDecision: OnLimitDecision;
  onRateLimit(verdict: PlanVerdict): void;
  /** How long a RATELIMIT took. */
  tookRateLimit(milliseconds: number): void;
  /** The seconds after this one, oldest first. */
  since(at: number): readonly Second[];
  identitiesOf(limit: string): Identities | undefined;
  /** Until the function it gives is called. */
  watch(watcher: Watcher): () => void;
  /** To be called when there are other limits than before. */
  reconfigured(): void;
  /** Ends the second before this instant; called once a second. */
  tick(nowMs: number): void;
}

export interface Watcher {
  /** Told of every second as it ends. */
  second(second: Second): void;
  reconfigured(): void;
}

const RATELIMIT = "RATELIMIT";

export function createLiveView(opened: OpenedStore): LiveView {
  const limits = new Map<string, RunningTally>();
  const identities = new Map<string, Identities>();
  const rateLimit = new RunningTally();
  const past: Second[] = [];
  const watchers = new Set<Watcher>();
  let failuresBefore = 0;
  let ticks = 0;

  function storeState(): StoreState {
    const { kind, describe } = opened;
    if (kind === "memory") {
      return { describe, breaker: undefined, waiting: undefined, keys: opened.store.size, failures: 0 };
    }
    const { breaker, waiting, failures } = opened.store.health();
    const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
    const state = { describe, breaker, waiting, keys: undefined, failures: failed - failuresBefore };
    failuresBefore = failed;
    return state;
  }

  return {
    onDecision(name, { selectors, facts, decision, milliseconds }) {
      const tally = limits.get(name) ?? new RunningTally();
      limits.set(name, tally);
      const isShadowRefused = decision.shadow !== undefined && !decision.shadow.allowed;
      tally.decided(decision.allowed, decision.source, isShadowRefused);
      tally.took(milliseconds);
      if (selectors.length === 0) return;
      let known = identities.get(name);
      if (known?.selectors !== selectors) {
        known = new Identities(selectors);
        identities.set(name, known);
      }
      known.saw(facts, !decision.allowed || isShadowRefused);
    },
    onRateLimit: ({ allowed, source }) => rateLimit.decided(allowed, source),
    tookRateLimit: (milliseconds) => rateLimit.took(milliseconds),
    since: (at) => past.filter((second) => second.at > at),
    identitiesOf: (limit) => identities.get(limit),
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    reconfigured() {
      for (const watcher of watchers) watcher.reconfigured();
    },
    tick(nowMs) {
      const second: Second = {
        at: Math.floor(nowMs / 1000) - 1,
        limits: finished(limits),
        commands: finished(new Map([[RATELIMIT, rateLimit]])),
        store: storeState(),
      };
      past.push(second);
      if (past.length > PAST_SECONDS) past.shift();
      ticks += 1;
      if (ticks % IDENTITY_WINDOW_SECONDS === 0) for (const known of identities.values()) known.turn();
      for (const watcher of watchers) watcher.second(second);
    },
  };
}

function finished(tallies: ReadonlyMap<string, RunningTally>): Readonly<Record<string, Tally>> {
  const found: [string, Tally][] = [];
  for (const [name, tally] of tallies) {
    const counted = tally.finish();
    if (counted !== undefined) found.push([name, counted]);
  }
  return Object.fromEntries(found);
}
