/** A rule as a shape: its counters, each once, the tree over them, and what is said of each limit. */
import { printRule } from "../rule/print.js";
import { type Limit, limitsOf, type Rule } from "../rule/rule.js";
import { type CounterOptions, counterOf } from "./counter.js";
import type { FailurePolicy } from "./failure-policy.js";
import { type Counter, DOES_NOT_APPLY, type LimitLabel, type Plan, type Shape, type Tree } from "./plan.js";

export interface ShapeOptions extends CounterOptions, FailurePolicy {
  readonly countRefused: boolean;
}

/** Limits with the same key are one check. */
export function shapeOf(rule: Rule, options: ShapeOptions): Shape {
  const { countRefused, deadlineMs, onFailure } = options;
  const limits = limitsOf(rule);
  const counters: Counter[] = [];
  const checkOfLimit = limits.map((limit) => {
    const counter = counterOf(limit, options);
    const known = counters.findIndex(({ id }) => id === counter.id);
    return known >= 0 ? known : counters.push(counter) - 1;
  });
  return {
    counters,
    tree: treeOf(rule, [...checkOfLimit]),
    countRefused,
    labels: limits.map(labelOf),
    checkOfLimit,
    failurePolicy: { deadlineMs, onFailure },
  };
}

/** The rule's own shape over the checks; `checks` are those of its limits, in order. */
function treeOf(rule: Rule, checks: number[]): Tree {
  if (rule.kind === "limit") return checks.shift()!;
  return { kind: rule.kind, parts: rule.rules.map((part) => treeOf(part, checks)) };
}

function labelOf(limit: Limit): LimitLabel {
  const { selectors, quota } = limit;
  return {
    rule: printRule(limit),
    selector: selectors.join("+"),
    limit: quota.limit,
    windowMs: Math.ceil(quota.span / 1000),
  };
}

const counting = new WeakMap<Shape, Shape>();

/** The same plan, charged whether it is admitted or not. Made once for each shape, since stores know shapes again. */
export function chargedAnyway(plan: Plan): Plan {
  if (plan.shape.countRefused) return plan;
  const shape = counting.get(plan.shape) ?? { ...plan.shape, countRefused: true };
  counting.set(plan.shape, shape);
  return { ...plan, shape };
}

/** The part of a plan with only some of its checks; the others count as not over. */
export function partOf(plan: Plan, checks: readonly number[]): Plan {
  const { shape, identities } = plan;
  const applies = shape.counters.map((_, check) => checks.includes(check));
  return {
    ...plan,
    shape: shapeWithout(shape, applies),
    identities: identities.filter((_, check) => applies[check]),
  };
}

/** Requests of one rule leave the same checks out again and again. */
const known = new WeakMap<Shape, Map<string, Shape>>();
const MOST_KNOWN = 64;

/** The shape that is left when only some of its checks apply. */
export function shapeWithout(shape: Shape, applies: readonly boolean[]): Shape {
  const pattern = shape.counters.map((_, check) => (applies[check] ? "1" : "0")).join("");
  const shapes = known.get(shape) ?? new Map<string, Shape>();
  const found = shapes.get(pattern);
  if (found !== undefined) return found;
  if (shapes.size >= MOST_KNOWN) shapes.clear();
  const part = madeWithout(shape, applies);
  known.set(shape, shapes.set(pattern, part));
  return part;
}

function madeWithout(shape: Shape, applies: readonly boolean[]): Shape {
  const counters = shape.counters.filter((_, check) => applies[check]);
  const places = shape.counters.map((counter) => counters.indexOf(counter));
  return {
    ...shape,
    counters,
    tree: moved(shape.tree, places),
    checkOfLimit: shape.checkOfLimit.map((check) => places[check] ?? DOES_NOT_APPLY),
  };
}

/** The same tree after some checks have gone; the place of one that has is -1, DOES_NOT_APPLY. */
function moved(tree: Tree, places: readonly number[]): Tree {
  if (typeof tree === "number") return places[tree] ?? DOES_NOT_APPLY;
  return { kind: tree.kind, parts: tree.parts.map((part) => moved(part, places)) };
}
