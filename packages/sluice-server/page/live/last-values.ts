/** The last seconds of a limit as a table: the charts in words. */
import { grouped } from "../../src/explain/numbers.js";
import { byId, element } from "../dom/element.js";
import { clock, latency } from "../format.js";
import { countsOf } from "./figures.js";
import type { History } from "./history.js";
import type { Subject } from "./subject.js";

const ROWS = 30;

/** The newest first. Nothing is made while the table is folded away. */
export function showLastValues(history: History, subject: Subject): void {
  if (!byId("last-values", HTMLDetailsElement).open) return;
  const rows = countsOf(history.slice(-ROWS), subject).toReversed();
  byId("last-values-rows", HTMLTableSectionElement).replaceChildren(
    ...rows.map(({ at, allowed, refused, shadowRefused, fallback, cache, p50Ms, p99Ms }) => {
      const numbers = [allowed, refused, shadowRefused, fallback, cache];
      return element(
        "tr",
        {},
        element("th", { scope: "row" }, clock(at)),
        ...numbers.map((number) => element("td", {}, grouped(number))),
        ...[p50Ms, p99Ms].map((ms) => element("td", {}, latency(ms))),
      );
    }),
  );
}
