/** Traffic that shows what a rule does: bursts below its limit, closer together than its span. */
import { limitsOf, type Rule } from "sluice";
import { durationText } from "../../src/explain/duration.js";

export interface Suited {
  readonly traffic: string;
  readonly length: string;
}

const SPANS_PLAYED = 5;
/** A burst and most of the next one fit into one span. */
const [SIZE, DISTANCE] = [0.8, 0.75];

export function suitedTo(rule: Rule): Suited {
  const { limit, span } = limitsOf(rule)[0]!.quota;
  const size = Math.max(1, Math.ceil(limit * SIZE));
  return {
    traffic: `burst:${size}/${durationText(Math.max(1, Math.round(span * DISTANCE)))}`,
    length: durationText(span * SPANS_PLAYED),
  };
}
