/** An identity as people read it: its facts, each with the name of its selector. */
import type { Identity } from "../../src/live/live-messages.js";
import { element } from "../dom/element.js";
import { shownValue } from "./shown-value.js";

/** For sentences: `ip 192.0.2.7, user ada`. */
export function identityInWords({ facts }: Identity): string {
  return Object.entries(facts)
    .map(([selector, value]) => `${selector} ${shownValue(value)}`)
    .join(", ");
}

/** For tables: selector and value apart, so that a value can look like anything. */
export function identityElements({ facts }: Identity): readonly (HTMLElement | string)[] {
  return Object.entries(facts).flatMap(([selector, value], place) => [
    // Without it, one value and the next selector are read as one word.
    place === 0 ? "" : " ",
    element(
      "span",
      { class: "fact" },
      element("span", { class: "selector" }, selector, " "),
      element("bdi", { class: "value" }, shownValue(value)),
    ),
  ]);
}
