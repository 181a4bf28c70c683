/** Turns a rule, once, into a function that makes the plan of each request. */
import { limitsOf, type Rule } from "../rule/rule.js";
import { identityBeside } from "./counter.js";
import { keyPart } from "./key.js";
import type { Plan, Shape } from "./plan.js";
import { type Call, type SelectorOptions, selectorValue } from "./selectors.js";
import { type ShapeOptions, shapeOf, shapeWithout } from "./shape.js";

export interface PlannerOptions extends SelectorOptions, ShapeOptions {}

export type Planner = (call: Call, cost: number) => Plan;

export function createPlanner(rule: Rule, options: PlannerOptions): Planner {
  const shape = shapeOf(rule, options);
  const limits = limitsOf(rule);
  /** By check, the names it counts by. */
  const tuples = shape.counters.map((_, check) => limits[shape.checkOfLimit.indexOf(check)]!.selectors);
  const { colocate } = options;
  const names = [...new Set(colocate === undefined ? tuples.flat() : [colocate, ...tuples.flat()])];
  return names.length === 1 && tuples.every((tuple) => tuple.length === 1)
    ? planByOne(shape, names[0]!, options)
    : planByMany(shape, names, tuples, options);
}

/** The usual rule counts by one name, and needs fewer lists. */
function planByOne(shape: Shape, name: string, options: SelectorOptions): Planner {
  const nobody = shapeWithout(shape, []);
  const checks = shape.counters.length;
  return (call, cost) => {
    const identity = identityFrom(name, call, options);
    if (identity === null) return { shape: nobody, identities: [], cost };
    if (checks === 1) return { shape, identities: [identity], cost };
    const identities = new Array<string>(checks);
    for (let check = 0; check < checks; check += 1) identities[check] = identity;
    return { shape, identities, cost };
  };
}

function planByMany(
  shape: Shape,
  names: readonly string[],
  tuples: readonly (readonly string[])[],
  options: PlannerOptions,
): Planner {
  const { colocate } = options;
  const places = tuples.map((tuple) => tuple.map((name) => names.indexOf(name)));
  const home = colocate === undefined ? undefined : names.indexOf(colocate);
  const isHome = tuples.map((tuple) => tuple.length === 1 && tuple[0] === colocate);
  return (call, cost) => {
    const values = names.map((name) => identityFrom(name, call, options));
    const found = places.map((tuple, check) => {
      const identity = joined(tuple.map((place) => values[place]!));
      if (home === undefined || isHome[check] || identity === null) return identity;
      return identityBeside(values[home] ?? "", tuples[check]!, identity);
    });
    const identities = found.filter((identity) => identity !== null);
    if (identities.length === found.length) return { shape, identities, cost };
    return {
      shape: shapeWithout(
        shape,
        found.map((identity) => identity !== null),
      ),
      identities,
      cost,
    };
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
