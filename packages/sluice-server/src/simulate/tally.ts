/** What became of the requests under one rule, counted while they are played. */
import { type Decision, limitsOf, printRule, type Rule } from "sluice";
import { type LimitPeak, LimitPeaks } from "./limit-peaks.js";
import type { Arrival } from "./traffic.js";

export interface Counts {
  readonly requests: number;
  /** Requests by their cost. */
  readonly units: number;
}

/** A stretch of time, in units. */
export interface Bin {
  readonly atMs: number;
  readonly offered: number;
  readonly admitted: number;
}

/** What became of the traffic under one rule. Instants count from the beginning of the traffic. */
export interface Run {
  readonly rule: string;
  readonly traffic: string;
  readonly lengthMs: number;
  readonly binMs: number;
  readonly offered: Counts;
  readonly admitted: Counts;
  readonly refused: Counts;
  readonly bins: readonly Bin[];
  readonly peaks: readonly LimitPeak[];
  readonly firstRefusalMs: number | null;
  /** The longest wait that a refused request was told, where waiting helps. */
  readonly worstRetryMs: number | null;
  /** Requests whose cost is more than the limit can ever admit. */
  readonly neverFit: number;
}

export interface TallyOptions {
  readonly traffic: string;
  readonly lengthUs: number;
  readonly bins: number;
}

export class Tally {
  private readonly offeredBins: number[];
  private readonly admittedBins: number[];
  private readonly peaks: readonly LimitPeaks[];
  private readonly offered = { requests: 0, units: 0 };
  private readonly admitted = { requests: 0, units: 0 };
  private firstRefusal: number | undefined;
  private worstRetryMs: number | null = null;
  private neverFit = 0;

  constructor(
    private readonly rule: Rule,
    private readonly options: TallyOptions,
  ) {
    this.offeredBins = new Array<number>(options.bins).fill(0);
    this.admittedBins = new Array<number>(options.bins).fill(0);
    this.peaks = limitsOf(rule).map((limit) => new LimitPeaks(limit));
  }

  add({ at, cost, key }: Arrival, { allowed, retryAfterMs }: Decision): void {
    const { lengthUs, bins } = this.options;
    const bin = Math.min(bins - 1, Math.floor((at / lengthUs) * bins));
    this.offered.requests += 1;
    this.offered.units += cost;
    this.offeredBins[bin]! += cost;
    if (allowed) {
      this.admitted.requests += 1;
      this.admitted.units += cost;
      this.admittedBins[bin]! += cost;
      for (const peak of this.peaks) peak.add(at, cost, key);
      return;
    }
    this.firstRefusal ??= at;
    if (retryAfterMs === Number.POSITIVE_INFINITY) this.neverFit += 1;
    else this.worstRetryMs = Math.max(this.worstRetryMs ?? 0, retryAfterMs);
  }

  result(): Run {
    const { lengthUs, bins, traffic } = this.options;
    const { offered, admitted } = this;
    const binMs = lengthUs / bins / 1000;
    return {
      rule: printRule(this.rule),
      traffic,
      lengthMs: lengthUs / 1000,
      binMs,
      offered: { ...offered },
      admitted: { ...admitted },
      refused: { requests: offered.requests - admitted.requests, units: offered.units - admitted.units },
      bins: this.offeredBins.map((units, index) => ({
        atMs: index * binMs,
        offered: units,
        admitted: this.admittedBins[index]!,
      })),
      peaks: this.peaks.map((peak) => peak.result()),
      firstRefusalMs: this.firstRefusal === undefined ? null : this.firstRefusal / 1000,
      worstRetryMs: this.worstRetryMs,
      neverFit: this.neverFit,
    };
  }
}
