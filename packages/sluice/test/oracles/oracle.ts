/** What an oracle answers: the meaning of an algorithm in the most obvious way, however slow. */
import type { Quota } from "../../src/algorithm/algorithm.js";

export interface Oracle {
  /** Moves what lies more than a second in the future to now; where anything did, says when it was at the latest. */
  heal(now: number): number | undefined;
  fits(cost: number, now: number): boolean;
  /** Instants at which anything may change from now on, in rising order; nothing changes in between. */
  turningPoints(now: number): readonly number[];
  /** What `refund` needs to know this charge again. */
  charge(cost: number, now: number): bigint | undefined;
  /** Only what is in this oracle, by its instant. */
  refund(cost: number, now: number, charged: OracleCharge): void;
}

export interface OracleCharge {
  readonly cost: number;
  readonly instant: number;
  readonly mark: bigint | undefined;
}

export type CreateOracle = (quota: Quota) => Oracle;

export interface Answer {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly retryAfterMs: number;
  readonly resetAfterMs: number;
}

/**
 * An oracle that gives back only what it knows by its instant: nothing from before it was empty or the clock stepped
 * back, and nothing from later than it has been asked.
 */
export function knowing(oracle: Oracle): Oracle {
  let since = 0;
  let latest = 0;
  return {
    ...oracle,
    heal(now) {
      const before = oracle.heal(now);
      if (before !== undefined) since = Math.max(since, before + 1);
      return before;
    },
    charge(cost, now) {
      if (oracle.turningPoints(now).length === 0) since = Math.max(since, now);
      latest = Math.max(latest, now);
      return oracle.charge(cost, now);
    },
    refund(cost, now, charged) {
      if (charged.instant < since || charged.instant > latest) return;
      latest = Math.max(latest, now);
      oracle.refund(cost, now, charged);
    },
  };
}

const SECOND = 1_000_000;

/** The first instant that is not waited out: what lies up to a second ahead makes time stand still. */
export function waitedOut(newest: number | undefined, now: number): number {
  return newest === undefined ? now : Math.max(now, newest);
}

export function isFarAhead(newest: number | undefined, now: number): newest is number {
  return newest !== undefined && newest - now > SECOND;
}

/** The verdict, from nothing but `fits`: by trying. */
export function answerOf(oracle: Oracle, size: number, cost: number, now: number): Answer {
  const allowed = oracle.fits(cost, now);
  let remaining = 0;
  while (remaining < size && oracle.fits(remaining + 1, now)) remaining += 1;
  const later = oracle.turningPoints(now).filter((instant) => instant > now);
  const firstFit = (units: number) =>
    later.find((instant) => oracle.fits(units, instant)) ?? Number.POSITIVE_INFINITY;
  const asGoodAsUnused = later.length === 0 ? now : (later[later.length - 1] as number);
  return {
    allowed,
    remaining,
    retryAfterMs: allowed ? 0 : ceilMs(firstFit(cost) - now),
    resetAfterMs: ceilMs(asGoodAsUnused - now),
  };
}

function ceilMs(microseconds: number): number {
  return Math.ceil(microseconds / 1000);
}
