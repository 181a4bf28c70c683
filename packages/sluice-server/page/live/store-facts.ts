/** How the store stands, in a line of facts. */

import { grouped } from "../../src/explain/numbers.js";
import type { StoreState } from "../../src/live/live-messages.js";
import { byId, setText } from "../dom/element.js";
import { rate } from "../format.js";
import { lastOf } from "./figures.js";
import type { History } from "./history.js";
import { RECENT_SECONDS } from "./limit-card.js";

const BREAKER = {
  closed: "closed: it is asked",
  open: "open: it rests, and the failure policies answer",
  probing: "probing: one call finds out whether it is back",
} as const;

type FactName = "store" | "breaker" | "waiting" | "keys" | "failures" | "decisions";

export function showStore(store: StoreState, history: History, seconds: number): void {
  const { describe, breaker, waiting, keys } = store;
  const failures = lastOf(history, seconds).reduce((sum, second) => sum + second.failures, 0);
  show("store", describe);
  show("breaker", breaker && BREAKER[breaker]);
  show("waiting", waiting === undefined ? undefined : grouped(waiting));
  show("keys", keys === undefined ? undefined : grouped(keys));
  show("failures", breaker === undefined ? undefined : grouped(failures));
  show("decisions", `${rate(decisionsPerSecond(history))}/s`);
  byId("store", HTMLDListElement).dataset["health"] = healthOf(store);
}

/** A fact that is not known has no place. */
function show(name: FactName, text: string | undefined): void {
  const value = byId(`store-${name}`, HTMLElement);
  value.parentElement!.hidden = text === undefined;
  setText(value, text ?? "");
}

function healthOf({ breaker, failures }: StoreState): "good" | "failing" {
  return failures > 0 || breaker === "open" || breaker === "probing" ? "failing" : "good";
}

function decisionsPerSecond(history: History): number {
  const recent = lastOf(history, RECENT_SECONDS);
  const sum = recent.reduce((all, { decisions }) => all + decisions, 0);
  return recent.length === 0 ? 0 : sum / recent.length;
}
