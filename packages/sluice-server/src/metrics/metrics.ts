/** What Prometheus is told. No label holds anything that a caller chose. */
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { DecisionEvent } from "sluice";
import type { OpenedStore } from "../store/open-store.js";

export interface Metrics {
  /** To be told of every decision on a named limit. */
  onDecision(limit: string, event: DecisionEvent): void;
  /** How long an answer took, by the surface that gave it. */
  observe(surface: "resp" | "http", seconds: number): void;
  text(): Promise<string>;
}

const LATENCIES = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];

export function createMetrics(opened: OpenedStore): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const decisions = new Counter({
    name: "sluice_decisions_total",
    help: "Decisions on named limits.",
    labelNames: ["limit", "outcome", "source"],
    registers,
  });
  const latency = new Histogram({
    name: "sluice_answer_seconds",
    help: "How long an answer took.",
    labelNames: ["surface"],
    buckets: LATENCIES,
    registers,
  });
  storeMetrics(opened, registers);
  return {
    onDecision(limit, { decision }) {
      const outcome =
        decision.shadow === undefined
          ? decision.allowed
            ? "allowed"
            : "refused"
          : shadowOutcome(decision.shadow.allowed);
      decisions.inc({ limit, outcome, source: decision.source });
    },
    observe: (surface, seconds) => latency.observe({ surface }, seconds),
    text: () => registry.metrics(),
  };
}

function shadowOutcome(allowed: boolean): string {
  return allowed ? "allowed" : "shadow-refused";
}

/** Read when asked for, since the store counts by itself. */
function storeMetrics(opened: OpenedStore, registers: Registry[]): void {
  if (opened.kind === "memory") {
    const { store } = opened;
    new Gauge({
      name: "sluice_keys",
      help: "Keys held in memory.",
      registers,
      collect() {
        this.set(store.size);
      },
    });
    return;
  }
  const { store } = opened;
  new Gauge({
    name: "sluice_store_failures",
    help: "Calls that the store did not answer, so far, by reason.",
    labelNames: ["reason"],
    registers,
    collect() {
      for (const [reason, count] of Object.entries(store.health().failures)) this.set({ reason }, count);
    },
  });
  new Gauge({
    name: "sluice_store_breaker_open",
    help: "1 while the store is not asked because it failed.",
    registers,
    collect() {
      this.set(store.health().breaker === "closed" ? 0 : 1);
    },
  });
  new Gauge({
    name: "sluice_store_waiting",
    help: "Calls that have no answer yet.",
    registers,
    collect() {
      this.set(store.health().waiting);
    },
  });
  new Gauge({
    name: "sluice_store_batches",
    help: "Script calls so far.",
    registers,
    collect() {
      this.set(store.health().batches);
    },
  });
}
