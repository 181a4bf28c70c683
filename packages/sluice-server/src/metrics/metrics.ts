/** What Prometheus is told. No label holds anything that a caller chose. */
import { Counter, Histogram, Registry } from "prom-client";
import type { Decision, PlanVerdict } from "sluice";
import type { FailureReason, StoreUnavailable } from "sluice/redis";
import type { OpenedStore } from "../store/open-store.js";
import { watchStore } from "./store-metrics.js";

export interface Metrics {
  /** To be told of every decision on a named limit. */
  onDecision(limit: string, event: { readonly decision: Decision }): void;
  /** To be told of every RATELIMIT. */
  onRateLimit(verdict: PlanVerdict): void;
  onUnavailable(error: StoreUnavailable): void;
  onBatch(size: number): void;
  /** How long an answer took, by the surface that gave it. */
  answered(surface: Surface, seconds: number): void;
  /** Reads from now on how this store stands. */
  watch(opened: OpenedStore): void;
  /** In Prometheus's text form. */
  text(): Promise<string>;
}

export type Surface = "resp" | "http";

const LATENCIES = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128];
const FAILURE_REASONS: readonly FailureReason[] = [
  "deadline",
  "not connected",
  "overloaded",
  "resting",
  "refused",
  "unreadable",
];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const decisions = new Counter({
    name: "sluice_decisions_total",
    help: "Decisions on named limits, by outcome: allowed, refused, or shadow_refused; and by who decided.",
    labelNames: ["limit", "outcome", "source"],
    registers,
  });
  const rateLimits = new Counter({
    name: "sluice_ratelimit_decisions_total",
    help: "Decisions of the command RATELIMIT, by outcome and by who decided.",
    labelNames: ["outcome", "source"],
    registers,
  });
  const latency = new Histogram({
    name: "sluice_answer_seconds",
    help: "How long answers took, by surface.",
    labelNames: ["surface"],
    buckets: LATENCIES,
    registers,
  });
  const failures = new Counter({
    name: "sluice_store_failures_total",
    help: "Calls that the store did not answer, by reason.",
    labelNames: ["reason"],
    registers,
  });
  const batches = new Histogram({
    name: "sluice_store_batch_requests",
    help: "How many requests travelled in one script call.",
    buckets: BATCH_SIZES,
    registers,
  });
  // A series that is there from the start is seen to grow from nothing.
  for (const reason of FAILURE_REASONS) failures.inc({ reason }, 0);
  /** Made once, since looking labels up takes longer than counting. */
  const bySurface = { resp: latency.labels("resp"), http: latency.labels("http") };
  const byVerdict = new Map<string, Counter.Internal>();

  return {
    onDecision(limit, { decision }) {
      decisions.inc({ limit, outcome: outcomeOf(decision), source: decision.source });
    },
    onRateLimit({ allowed, source }) {
      const key = allowed ? source : `refused ${source}`;
      let counter = byVerdict.get(key);
      if (counter === undefined) {
        counter = rateLimits.labels(allowed ? "allowed" : "refused", source);
        byVerdict.set(key, counter);
      }
      counter.inc();
    },
    onUnavailable: ({ reason }) => failures.inc({ reason }),
    onBatch: (size) => batches.observe(size),
    answered: (surface, seconds) => bySurface[surface].observe(seconds),
    watch: (opened) => watchStore(opened, registers),
    text: () => registry.metrics(),
  };
}

function outcomeOf({ allowed, shadow }: Decision): string {
  if (shadow !== undefined && !shadow.allowed) return "shadow_refused";
  return allowed ? "allowed" : "refused";
}
