/** Turns a rule, once, into a function that makes the plan of each request. */
import { type Limit, limitsOf, type Rule } from "../rule/rule.js";
import { counterOf } from "./counter.js";
import { keyPart } from "./key.js";
import { type Counter, DOES_NOT_APPLY, type Plan, type Tree } from "./plan.js";
import { type Call, type SelectorOptions, selectorValue } from "./selectors.js";

export interface PlannerOptions extends SelectorOptions {
  readonly namespace: string;
  readonly key: string;
  readonly countRefused: boolean;
}

export type Planner = (call: Call, cost: number) => Plan;

export function createPlanner(rule: Rule, options: PlannerOptions): Planner {
  const limits = limitsOf(rule);
  return limits.length === 1 && limits[0]!.selectors.length === 1
    ? planOne(limits[0]!, options)
    : planMany(rule, limits, options);
}

/** The usual rule, one limit by one selector, without the lists that others need. */
function planOne(limit: Limit, options: PlannerOptions): Planner {
  const { namespace, key, countRefused } = options;
  const counter = counterOf(limit, namespace, key);
  const [name = ""] = limit.selectors;
  const checkOfLimit = [0];
  return (call, cost) => {
    const identity = identityFrom(name, call, options);
    if (identity === null) return { ...NOTHING_APPLIES, cost, countRefused };
    return { checks: [{ counter, identity }], tree: 0, cost, countRefused, checkOfLimit };
  };
}

const NOTHING_APPLIES = { checks: [], tree: DOES_NOT_APPLY, checkOfLimit: [DOES_NOT_APPLY] };

function planMany(rule: Rule, limits: readonly Limit[], options: PlannerOptions): Planner {
  const { namespace, key, countRefused } = options;
  const groups = unique(limits.map((limit) => limit.selectors.join("+")));
  const counters: { readonly counter: Counter; readonly group: number }[] = [];
  const checkOfLimit = limits.map((limit) => {
    const counter = counterOf(limit, namespace, key);
    const known = counters.findIndex((entry) => entry.counter.id === counter.id);
    return known >= 0
      ? known
      : counters.push({ counter, group: groups.indexOf(limit.selectors.join("+")) }) - 1;
  });
  const tree = treeOf(rule, [...checkOfLimit]);
  const identify = createIdentify(groups, options);

  return (call, cost) => {
    const identities = identify(call);
    if (!identities.includes(null)) {
      const checks = counters.map(({ counter, group }) => ({ counter, identity: identities[group]! }));
      return { checks, tree, cost, countRefused, checkOfLimit };
    }
    const applying = counters.filter(({ group }) => identities[group] !== null);
    const checks = applying.map(({ counter, group }) => ({ counter, identity: identities[group]! }));
    const places = counters.map((entry) => applying.indexOf(entry));
    const placed = checkOfLimit.map((check) => places[check]!);
    return { checks, tree: moved(tree, places), cost, countRefused, checkOfLimit: placed };
  };
}

/** Per group of limits that count by the same names: whom this call is counted for, or null for nobody. */
type Identify = (call: Call) => readonly (string | null)[];

function createIdentify(groups: readonly string[], options: SelectorOptions): Identify {
  const tuples = groups.map((group) => (group === "" ? [] : group.split("+")));
  const names = unique(tuples.flat());
  if (groups.length === 1 && names.length === 1) return (call) => [identityFrom(names[0]!, call, options)];

  const places = tuples.map((tuple) => tuple.map((name) => names.indexOf(name)));
  return (call) => {
    const values = names.map((name) => identityFrom(name, call, options));
    return places.map((tuple) => joined(tuple.map((index) => values[index]!)));
  };
}

function identityFrom(name: string, call: Call, options: SelectorOptions): string | null {
  const value = selectorValue(name, call, options);
  return value === null ? null : keyPart(value);
}

/** Values are key parts, which contain no "+", so that two tuples never make one identity. */
function joined(values: readonly (string | null)[]): string | null {
  return values.includes(null) ? null : values.join("+");
}

/** The rule's own shape over the checks; `checks` are those of its limits, in order. */
function treeOf(rule: Rule, checks: number[]): Tree {
  if (rule.kind === "limit") return checks.shift()!;
  return { kind: rule.kind, parts: rule.rules.map((part) => treeOf(part, checks)) };
}

/** The same tree after some checks have gone; the place of one that has is -1, DOES_NOT_APPLY. */
function moved(tree: Tree, places: readonly number[]): Tree {
  if (typeof tree === "number") return places[tree]!;
  return { kind: tree.kind, parts: tree.parts.map((part) => moved(part, places)) };
}

function unique<T>(items: readonly T[]): readonly T[] {
  return [...new Set(items)];
}
