/** The last seconds of a limit as a table: the charts in words. */
import { grouped } from "../../src/explain/numbers.js";
import { byId, element } from "../dom/element.js";
import { clock, latency, NOTHING } from "../format.js";
import type { History } from "./history.js";
import { type Subject, tallyOf } from "./subject.js";

const ROWS = 30;

/** The newest first. Nothing is made while the table is folded away. */
export function showLastValues(history: History, subject: Subject): void {
  if (!byId("last-values", HTMLDetailsElement).open) return;
  const rows = history.slice(-ROWS).reverse();
  byId("last-values-rows", HTMLTableSectionElement).replaceChildren(
    ...rows.map((second) => {
      const tally = tallyOf(subject, second);
      const decisions = tally.allowed + tally.refused;
      const numbers = [tally.allowed, tally.refused, tally.shadowRefused, tally.fallback, tally.cache];
      return element(
        "tr",
        {},
        element("th", { scope: "row" }, clock(second.at)),
        ...numbers.map((number) => element("td", {}, grouped(number))),
        ...[tally.p50Ms, tally.p99Ms].map((ms) => element("td", {}, decisions > 0 ? latency(ms) : NOTHING)),
      );
    }),
  );
}
