/** What the simulation found: a panel for each rule on one scale, and all numbers in a table. */
import { grouped, percent } from "../../src/explain/numbers.js";
import { summarySentence } from "../../src/simulate/summary-table.js";
import type { Run } from "../../src/simulate/tally.js";
import { shortTime } from "../../src/simulate/time-axis.js";
import { announce } from "../dom/announce.js";
import { byId, element, setText } from "../dom/element.js";
import { RunPanel } from "./run-panel.js";

/** Only what stays so long is read out. */
const SETTLED_MS = 1_200;

export class Results {
  private panels: RunPanel[] = [];
  private saying: ReturnType<typeof setTimeout> | undefined;
  private readonly place = byId("runs", HTMLElement);

  show(runs: readonly Run[]): void {
    const top = Math.max(1, ...runs.flatMap(({ bins }) => bins.map(({ offered }) => offered)));
    for (const panel of this.panels.splice(runs.length)) panel.remove();
    while (this.panels.length < runs.length) {
      const panel = new RunPanel();
      this.panels.push(panel);
      this.place.append(panel.element);
    }
    runs.forEach((run, index) => {
      this.panels[index]!.show(run, top);
    });
    byId("runs-rows", HTMLTableSectionElement).replaceChildren(...runs.map(rowOf));
    const [first] = runs;
    if (first === undefined) return;
    setText(byId("bin-width", HTMLElement), `One step is ${shortTime(first.binMs)}.`);
    clearTimeout(this.saying);
    this.saying = setTimeout(() => announce(summarySentence(first)), SETTLED_MS);
  }

  /** What is shown is of an earlier question, until there is an answer. */
  set isStale(isStale: boolean) {
    byId("results", HTMLElement).classList.toggle("stale", isStale);
    if (isStale) clearTimeout(this.saying);
  }
}

function rowOf({
  rule,
  offered,
  admitted,
  refused,
  firstRefusalMs,
  worstRetryMs,
  neverFit,
  peaks,
}: Run): HTMLElement {
  const wait = worstRetryMs === null ? "none" : shortTime(worstRetryMs);
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, element("code", {}, rule)),
    ...[
      grouped(offered.units),
      grouped(admitted.units),
      percent(refused.units, offered.units),
      firstRefusalMs === null ? "none" : shortTime(firstRefusalMs),
      neverFit > 0 ? "for ever" : wait,
      peaks.map(({ most }) => grouped(most)).join(", "),
    ].map((text) => element("td", {}, text)),
  );
}
