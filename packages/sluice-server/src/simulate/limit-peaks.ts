/** For one limit of a rule, the most that was admitted in any window of its span. */
import { type Limit, printRule } from "sluice";
import { type Peak, WindowPeak } from "./window-peak.js";

/** For one limit of the rule, the most units admitted in any window of its span, for any one key. */
export interface LimitPeak {
  readonly rule: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly most: number;
  readonly fromMs: number;
  readonly untilMs: number;
  /** Whose window that was; null for a limit on all calls. */
  readonly key: string | null;
}

/** One window for each key that the limit counts apart. */
export class LimitPeaks {
  private readonly byKey = new Map<string | null, WindowPeak>();

  constructor(private readonly limit: Limit) {}

  add(at: number, cost: number, key: string): void {
    const whose = this.limit.selectors.length === 0 ? null : key;
    let peak = this.byKey.get(whose);
    if (peak === undefined) {
      peak = new WindowPeak(this.limit.quota.span);
      this.byKey.set(whose, peak);
    }
    peak.add(at, cost);
  }

  result(): LimitPeak {
    let [key, best]: [string | null, Peak] = [null, { units: 0, from: 0, until: 0 }];
    for (const [whose, { peak }] of this.byKey) if (peak.units > best.units) [key, best] = [whose, peak];
    const { quota } = this.limit;
    return {
      rule: printRule(this.limit),
      limit: quota.limit,
      windowMs: quota.span / 1000,
      most: best.units,
      fromMs: best.from / 1000,
      untilMs: best.until / 1000,
      key,
    };
  }
}
