/** What a rule means, in words: the sentence, and for each limit how exact it is and what it weighs. */
import type { Explanation, LimitExplanation } from "../../src/explain/explain-rule.js";
import { weightText } from "../../src/explain/explanation-text.js";
import type { Saying } from "../../src/explain/meaning.js";
import { byId, element } from "../dom/element.js";

export function showMeaning(explanation: Explanation | undefined): void {
  const place = byId("meaning", HTMLElement);
  const details = byId("rule-details", HTMLElement);
  place.classList.toggle("stale", explanation === undefined);
  if (explanation === undefined) return;
  place.replaceChildren(...sayingElements(explanation.meaning));
  details.replaceChildren(...explanation.limits.map(limitElement));
}

function sayingElements({ words, parts }: Saying): readonly HTMLElement[] {
  const sentence = element("p", {}, words);
  if (parts.length === 0) return [sentence];
  return [sentence, element("ul", {}, ...parts.map((part) => element("li", {}, ...sayingElements(part))))];
}

function limitElement(limit: LimitExplanation): HTMLElement {
  const { memory, redis } = limit.bytesPerKey;
  const facts = [
    ["algorithm", `${limit.algorithm}, ${limit.because}. ${limit.idea}`],
    ["accuracy", limit.accuracy],
    ["retry", limit.retry],
    ["memory", `${weightText(memory)} per key in the memory store, ${weightText(redis)} in Redis`],
  ] as const;
  return element(
    "section",
    {},
    element("h4", {}, element("code", {}, limit.rule)),
    element(
      "dl",
      { class: "explained" },
      ...facts.flatMap(([label, words]) => [element("dt", {}, label), element("dd", {}, words)]),
    ),
  );
}
