/** How an identity stands under each limit of a rule, as `peek` tells. */
import { grouped } from "../../src/explain/numbers.js";
import { byId, element, setText } from "../dom/element.js";
import { NOTHING, wait } from "../format.js";
import type { DecisionAsJson } from "../server/server.js";

export function showStanding(decision: DecisionAsJson): void {
  const { allowed, remaining, retryAfterMs, limits } = decision.shadow ?? decision;
  const sentence = allowed
    ? `A request would be admitted now, and ${remaining === null ? "any number" : grouped(remaining)} in all.`
    : `A request would be refused now${retryAfterMs === null ? ", and always" : `, and admitted ${wait(retryAfterMs)}`}.`;
  const shadow =
    decision.shadow === undefined ? "" : " The limit is in shadow mode, so it passes all the same.";
  byId("standing", HTMLElement).hidden = false;
  setText(byId("standing-sentence", HTMLElement), sentence + shadow);
  byId("standing-rows", HTMLTableSectionElement).replaceChildren(
    ...limits.map((limit) =>
      element(
        "tr",
        limit.allowed ? {} : { class: "over" },
        element("th", { scope: "row" }, element("code", {}, limit.rule)),
        element("td", {}, limit.remaining === null ? NOTHING : grouped(limit.remaining)),
        element("td", {}, limit.limit === null ? NOTHING : grouped(limit.limit)),
        element("td", {}, wait(limit.retryAfterMs)),
        element("td", {}, wait(limit.resetAfterMs)),
      ),
    ),
  );
}
