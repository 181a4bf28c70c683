/** What a limit counts, for all identities alike, and how its keys read. */
import type { Algorithm, Quota } from "../algorithm/algorithm.js";
import { ALGORITHMS } from "../algorithm/registry.js";
import { BadOption } from "../errors.js";
import { printRule } from "../rule/print.js";
import type { Limit } from "../rule/rule.js";
import { keyPart } from "./key.js";
import type { Counter } from "./plan.js";

export interface CounterOptions {
  readonly namespace: string;
  readonly key: string;
  /** Which selector's value decides the slot of all counters; each its own when left out. */
  readonly colocate?: string | undefined;
}

/**
 * Keys read `namespace:{selector:identity}:key:algorithm…`, and `namespace:{:key}:algorithm…` without a
 * selector: what is in braces decides the slot in a Redis Cluster, so that all limits on one identity
 * share one. The algorithm, its state's version and the quota are in the key, so that a changed rule or
 * a new release never misreads old state.
 */
export function counterOf(limit: Limit, { namespace, key, colocate }: CounterOptions): Counter {
  const { selectors, algorithm, quota } = limit;
  const start = `${keyPart(namespace)}:{`;
  const end = `:${keyPart(key)}:`;
  const names = selectors.join("+");
  if (colocate !== undefined && names === "") {
    throw new BadOption(
      `colocate keeps all counters of one ${colocate} together, and ${printRule(limit)} counts all calls, whoever makes them.`,
    );
  }
  if (names === "") return counter(ALGORITHMS[algorithm], quota, `${start}:${keyPart(key)}`, "}:", "");
  if (colocate === undefined || colocate === names) {
    return counter(ALGORITHMS[algorithm], quota, `${start}${names}:`, `}${end}`, "");
  }
  return counter(ALGORITHMS[algorithm], quota, `${start}${colocate}:`, end, `}:${names}`);
}

/** Where counters share a slot, what stands in braces is another selector's, and the identity goes on behind it. */
export function identityBeside(home: string, selectors: readonly string[], identity: string): string {
  return `${home}}:${selectors.join("+")}:${identity}`;
}

/** The same counter for another quota. */
export function withQuota({ algorithm, id, prefix, suffix }: Counter, quota: Quota): Counter {
  const end = suffix.slice(0, suffix.lastIndexOf(":") + 1);
  return counter(algorithm, quota, prefix, end, id.slice(prefix.length, id.length - suffix.length));
}

function counter(algorithm: Algorithm, quota: Quota, prefix: string, end: string, between: string): Counter {
  const { limit, span, precision, burst } = quota;
  const numbers = [limit, span, precision, burst].filter((part) => part !== undefined);
  const suffix = `${end}${algorithm.name}${algorithm.stateVersion},${numbers.join(",")}`;
  return {
    id: `${prefix}${between}${suffix}`,
    algorithm,
    quota,
    params: algorithm.params(quota),
    size: burst ?? limit,
    prefix,
    suffix,
  };
}
