/** What an oracle answers: the meaning of an algorithm in the most obvious way, however slow. */
import type { Quota } from "../../src/algorithm/algorithm.js";

export interface Oracle {
  /** Moves what lies more than a second in the future to now; says whether anything did. */
  heal(now: number): boolean;
  fits(cost: number, now: number): boolean;
  /** Instants at which anything may change from now on, in rising order; nothing changes in between. */
  turningPoints(now: number): readonly number[];
  /** What `refund` needs to know this charge again. */
  charge(cost: number, now: number): bigint | undefined;
  /** Whether a charge pushes out others; where left out, whatever does not fit does. */
  displaces?(cost: number, now: number): boolean;
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

/** An oracle that gives back only charges of its generation. */
export interface KnowingOracle extends Omit<Oracle, "charge" | "refund"> {
  charge(cost: number, now: number): KnownCharge;
  refund(cost: number, now: number, charged: KnownCharge): void;
}

export interface KnownCharge extends OracleCharge {
  readonly generation: number;
}

let generations = 0;

/** A generation ends when the clock has stepped back, when nothing is left, and when a charge displaces others. */
export function knowing(oracle: Oracle): KnowingOracle {
  let generation = 0;
  return {
    ...oracle,
    heal(now) {
      const healed = oracle.heal(now);
      if (healed) generation = 0;
      return healed;
    },
    charge(cost, now) {
      const displaces = oracle.displaces?.(cost, now) ?? !oracle.fits(cost, now);
      if (displaces || oracle.turningPoints(now).length === 0) generation = 0;
      if (generation === 0) {
        generations += 1;
        generation = generations;
      }
      return { cost, instant: now, mark: oracle.charge(cost, now), generation };
    },
    refund(cost, now, charged) {
      if (charged.generation === generation) oracle.refund(cost, now, charged);
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
export function answerOf(
  oracle: Pick<Oracle, "fits" | "turningPoints">,
  size: number,
  cost: number,
  now: number,
): Answer {
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
