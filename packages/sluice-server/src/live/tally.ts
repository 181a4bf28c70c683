/** What became of the decisions of one second, on one limit or command. */
import type { Source } from "sluice";
import { LatencyHistogram } from "./latency-histogram.js";
import type { Tally } from "./live-messages.js";

export class RunningTally {
  private allowed = 0;
  private refused = 0;
  private shadowRefused = 0;
  private fallback = 0;
  private cache = 0;
  private readonly latencies = new LatencyHistogram();

  decided(allowed: boolean, source: Source, isShadowRefused = false): void {
    if (allowed) this.allowed += 1;
    else this.refused += 1;
    if (isShadowRefused) this.shadowRefused += 1;
    if (source === "fallback") this.fallback += 1;
    else if (source !== "store") this.cache += 1;
  }

  took(milliseconds: number): void {
    this.latencies.add(milliseconds);
  }

  /** What was counted, and begins anew; undefined where nothing was. */
  finish(): Tally | undefined {
    const { allowed, refused, shadowRefused, fallback, cache, latencies } = this;
    if (allowed + refused === 0) return undefined;
    const [p50, p99] = [latencies.quantile(0.5), latencies.quantile(0.99)];
    latencies.clear();
    this.allowed = this.refused = this.shadowRefused = this.fallback = this.cache = 0;
    return [allowed, refused, shadowRefused, fallback, cache, p50, p99];
  }
}
