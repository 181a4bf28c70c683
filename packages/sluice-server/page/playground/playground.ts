/** The playground: a rule, traffic, and what becomes of it; all of it in the address, so that a link shows the same. */

import { percent } from "../../src/explain/numbers.js";
import { byId, element, setText } from "../dom/element.js";
import { showMeaning } from "./meaning-view.js";
import { Results } from "./results.js";
import { RuleField } from "./rule-field.js";
import { Simulator } from "./simulator.js";
import { ALGORITHMS, commandFor, linkTo, type PlaygroundState } from "./state.js";
import { TrafficFields } from "./traffic-fields.js";
import type { Answer } from "./worker-messages.js";

export class Playground {
  private readonly rule = new RuleField(
    () => this.changed(),
    () => {
      this.traffic.show(undefined, undefined);
      this.changed();
    },
  );
  private readonly traffic = new TrafficFields(() => this.changed());
  private readonly boxes = ALGORITHMS.map((name) => checkBox(name, () => this.changed()));
  private readonly results = new Results();
  private readonly simulator = new Simulator((answer) => this.answered(answer));
  /** Only what is shown has the address. */
  isShown = false;

  constructor() {
    byId("compare", HTMLElement).append(...this.boxes.map(({ element }) => element));
    const copy = byId("copy-link", HTMLButtonElement);
    copy.addEventListener("click", async () => {
      // A page that did not come over TLS or from this machine may not write there.
      const isCopied = await navigator.clipboard?.writeText(location.href).then(
        () => true,
        () => false,
      );
      setText(byId("copied", HTMLElement), isCopied ? "Copied." : "The link is the address of this page.");
    });
  }

  get state(): PlaygroundState {
    const compare = this.boxes.filter(({ box }) => box.checked).map(({ name }) => name);
    return { rule: this.rule.rule, traffic: this.traffic.traffic, length: this.traffic.length, compare };
  }

  show({ rule, traffic, length, compare }: PlaygroundState): void {
    this.rule.rule = rule;
    this.traffic.show(traffic, length);
    for (const { name, box } of this.boxes) box.checked = compare.includes(name);
    this.ask();
  }

  private changed(): void {
    this.ask();
    this.remember();
  }

  private ask(): void {
    this.results.isStale = true;
    setText(byId("copied", HTMLElement), "");
    this.simulator.ask(this.state);
  }

  private remember(): void {
    if (this.isShown) history.replaceState(null, "", linkTo(this.state));
  }

  private answered(answer: Answer): void {
    const progress = byId("progress", HTMLElement);
    if (answer.kind === "meaning") {
      this.rule.showMistake(undefined);
      showMeaning(answer.explanation);
      return;
    }
    setText(progress, answer.kind === "progress" ? `Simulating, ${percent(answer.done, 1)}` : "");
    if (answer.kind === "progress") return;
    const wrongTraffic = answer.kind === "mistake" && answer.where === "traffic" ? answer.problem : "";
    setText(byId("traffic-problem", HTMLElement), wrongTraffic);
    if (answer.kind === "mistake") {
      if (answer.where === "traffic") return;
      this.rule.showMistake(answer);
      showMeaning(undefined);
      return;
    }
    this.traffic.show(answer.played.traffic, answer.played.length);
    this.results.show(answer.runs);
    this.results.isStale = false;
    setText(byId("command", HTMLElement), commandFor(this.state));
    this.remember();
  }
}

function checkBox(name: (typeof ALGORITHMS)[number], onChanged: () => void) {
  const box = element("input", { type: "checkbox", id: `compare-${name}` });
  box.addEventListener("change", onChanged);
  return { name, box, element: element("label", { class: "choice" }, box, name) };
}
