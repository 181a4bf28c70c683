/** What an oracle answers: the meaning of an algorithm in the most obvious way, however slow. */
import type { Quota } from "../../src/algorithm/algorithm.js";

export interface Oracle {
  /** Moves what lies more than a second in the future to now. */
  heal(now: number): void;
  fits(cost: number, now: number): boolean;
  /** Instants at which anything may change from now on, in rising order; nothing changes in between. */
  turningPoints(now: number): readonly number[];
  charge(cost: number, now: number): void;
  refund(cost: number, now: number): void;
}

export type CreateOracle = (quota: Quota) => Oracle;

export interface Answer {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly retryAfterMs: number;
  readonly resetAfterMs: number;
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
