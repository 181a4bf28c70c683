/** The field for a rule, and under it the mistake with its caret. */
import { byId, element, setText } from "../dom/element.js";
import type { Mistake } from "./worker-messages.js";

const EXAMPLES = [
  "100/m",
  "100/m fixed-window",
  "10/s burst 20",
  "100/h:1m ar1",
  "ip:5/m or user:20/h",
  "apikey:100/h and 10/s",
];

export class RuleField {
  private readonly field = byId("rule", HTMLInputElement);

  /** An example comes with traffic that suits it. */
  constructor(onTyped: () => void, onExample: () => void) {
    this.field.addEventListener("input", onTyped);
    byId("examples", HTMLUListElement).append(
      ...EXAMPLES.map((rule) => {
        const button = element("button", { type: "button", class: "example" }, element("code", {}, rule));
        button.addEventListener("click", () => {
          this.field.value = rule;
          onExample();
        });
        return element("li", {}, button);
      }),
    );
  }

  get rule(): string {
    return this.field.value;
  }

  set rule(rule: string) {
    if (this.field.value !== rule) this.field.value = rule;
  }

  showMistake(mistake: Mistake | undefined): void {
    this.field.setAttribute("aria-invalid", String(mistake !== undefined));
    byId("rule-mistake", HTMLElement).hidden = mistake === undefined;
    const excerpt = byId("rule-excerpt", HTMLPreElement);
    excerpt.hidden = mistake?.excerpt === undefined;
    setText(byId("rule-problem", HTMLElement), mistake?.problem ?? "");
    setText(excerpt, mistake?.excerpt ?? "");
    setText(byId("rule-suggestion", HTMLElement), mistake?.suggestion ?? "");
  }
}
