/** How the store stands: read when asked for, since it knows by itself. */
import { Counter, Gauge, type Registry } from "prom-client";
import type { BreakerState } from "sluice/redis";
import type { OpenedStore } from "../store/open-store.js";

const STATES: readonly BreakerState[] = ["closed", "open", "probing"];

export function watchStore(opened: OpenedStore, registers: Registry[]): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  if (opened.kind === "memory") {
    gauge("sluice_keys", "Keys held in memory.", () => opened.store.size);
    return;
  }
  const { store } = opened;
  gauge("sluice_store_waiting", "Calls that have no answer yet.", () => store.health().waiting);
  new Counter({
    name: "sluice_store_late_answers_total",
    help: "Answers that came too late and were dropped.",
    registers,
    collect() {
      this.reset();
      this.inc(store.health().lateAnswers);
    },
  });
  new Gauge({
    name: "sluice_store_breaker",
    help: "The state of the breaker has 1, the others 0; while it is open, the store is not asked.",
    labelNames: ["state"],
    registers,
    collect() {
      const { breaker } = store.health();
      for (const state of STATES) this.set({ state }, state === breaker ? 1 : 0);
    },
  });
}
