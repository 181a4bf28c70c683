/** What has happened, second by second: counted as it happens, remembered for minutes, told to whoever watches. */
import type { PlanVerdict } from "sluice";
import type { OnLimitDecision } from "../limits/named-limits.js";
import type { OpenedStore } from "../store/open-store.js";
import { Identities } from "./identities.js";
import type { HistoryRow, Past, Second, StoreState, Tally } from "./live-messages.js";
import { SecondRing } from "./second-ring.js";
import { RunningTally } from "./tally.js";

export const PAST_SECONDS = 600;
/** Identities are counted over the last two of these. */
export const IDENTITY_WINDOW_SECONDS = 150;

export interface LiveView {
  onDecision: OnLimitDecision;
  onRateLimit(verdict: PlanVerdict): void;
  /** How long a RATELIMIT took. */
  tookRateLimit(milliseconds: number): void;
  /** The oldest second that is remembered, from which all rows count. */
  readonly oldest: number;
  past(): Past;
  /** Undefined for a limit or command that has not been asked. */
  historyOf(kind: "limit" | "command", name: string): readonly HistoryRow[] | undefined;
  identitiesOf(limit: string): Identities | undefined;
  /** Until the function it gives is called. */
  watch(watcher: Watcher): () => void;
  /** To be called when there are other limits than before; those that are gone are forgotten. */
  reconfigured(limits: ReadonlyMap<string, unknown>): void;
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
  const limits = new Map<string, Subject>();
  const commands = new Map([[RATELIMIT, new Subject()]]);
  const rateLimit = commands.get(RATELIMIT)!.tally;
  const identities = new Map<string, Identities>();
  const past = new SecondRing(PAST_SECONDS, 2);
  const watchers = new Set<Watcher>();
  let newest = -1;
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

  const oldest = () => newest - PAST_SECONDS + 1;

  return {
    onDecision(name, { selectors, facts, decision, milliseconds }) {
      let subject = limits.get(name);
      if (subject === undefined) {
        subject = new Subject();
        limits.set(name, subject);
      }
      const isShadowRefused = decision.shadow !== undefined && !decision.shadow.allowed;
      subject.tally.decided(decision.allowed, decision.source, isShadowRefused);
      subject.tally.took(milliseconds);
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
    get oldest() {
      return oldest();
    },
    past: () => ({ from: oldest(), seconds: past.rows(oldest(), newest) as Past["seconds"] }),
    historyOf(kind, name) {
      const subject = (kind === "limit" ? limits : commands).get(name);
      return subject?.past.rows(oldest(), newest) as readonly HistoryRow[] | undefined;
    },
    identitiesOf: (limit) => identities.get(limit),
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    reconfigured(configured) {
      for (const all of [limits, identities]) {
        for (const name of all.keys()) if (!configured.has(name)) all.delete(name);
      }
      for (const watcher of watchers) watcher.reconfigured();
    },
    tick(nowMs) {
      newest = Math.floor(nowMs / 1000) - 1;
      const second: Second = {
        at: newest,
        limits: finished(limits, newest),
        commands: finished(commands, newest),
        store: storeState(),
      };
      past.set(newest, [decisionsIn(second), second.store.failures]);
      ticks += 1;
      if (ticks % IDENTITY_WINDOW_SECONDS === 0) for (const known of identities.values()) known.turn();
      for (const watcher of watchers) watcher.second(second);
    },
  };
}

/** A limit or a command: the second that is being counted, and those before it. */
class Subject {
  readonly tally = new RunningTally();
  readonly past = new SecondRing(PAST_SECONDS, 7);
}

function finished(subjects: ReadonlyMap<string, Subject>, at: number): Readonly<Record<string, Tally>> {
  const found: [string, Tally][] = [];
  for (const [name, { tally, past }] of subjects) {
    const counted = tally.finish();
    if (counted === undefined) continue;
    past.set(at, counted);
    found.push([name, counted]);
  }
  return Object.fromEntries(found);
}

function decisionsIn({ limits, commands }: Second): number {
  return [...Object.values(limits), ...Object.values(commands)].reduce(
    (sum, [allowed, refused]) => sum + allowed + refused,
    0,
  );
}
