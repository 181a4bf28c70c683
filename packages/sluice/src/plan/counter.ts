/** What a limit counts, for all identities alike, and how its keys read. */
import { ALGORITHMS } from "../algorithm/registry.js";
import type { Limit } from "../rule/rule.js";
import { keyPart } from "./key.js";
import type { Counter } from "./plan.js";

/**
 * Keys read `namespace:{selector:identity}:key:algorithm…`, and `namespace:{:key}:algorithm…` without a
 * selector: what is in braces decides the slot in a Redis Cluster, so that all limits on one identity
 * share one. The algorithm, its state's version and the quota are in the key, so that a changed rule or
 * a new release never misreads old state.
 */
export function counterOf({ selectors, algorithm, quota }: Limit, namespace: string, key: string): Counter {
  const implementation = ALGORITHMS[algorithm];
  const numbers = [quota.limit, quota.span, quota.precision, quota.burst].filter(
    (part) => part !== undefined,
  );
  const state = `${algorithm}${implementation.stateVersion},${numbers.join(",")}`;
  const counted = selectors.length > 0;
  const prefix = `${keyPart(namespace)}:{${counted ? `${selectors.join("+")}:` : `:${keyPart(key)}`}`;
  const suffix = counted ? `}:${keyPart(key)}:${state}` : `}:${state}`;
  return {
    id: `${prefix}${suffix}`,
    algorithm: implementation,
    quota,
    params: implementation.params(quota),
    size: quota.burst ?? quota.limit,
    prefix,
    suffix,
  };
}
