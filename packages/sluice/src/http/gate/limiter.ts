/** What a gate asks: the limiter it was given, or one for its rule. */
import { BadOption } from "../../errors.js";
import { type ConsumeAtOnce, consumeAtOnce } from "../../limiter/at-once.js";
import { createSluice } from "../../limiter/sluice.js";
import { toRule } from "../../rule/input.js";
import { limitsOf, selectorsOf } from "../../rule/rule.js";
import { type GateLimit, type GateLimiter, type GateOptions, RULE_OPTIONS } from "./options.js";

export interface Asked {
  readonly limiter: GateLimiter;
  readonly consume: ConsumeAtOnce;
  /** The selectors it counts by; undefined where only a request can tell. */
  readonly needed: ReadonlySet<string> | undefined;
}

export function limiterOf<Native, Response>(limit: GateLimit, options: GateOptions<Native, Response>): Asked {
  if (isLimiter(limit)) {
    refuseRuleOptions(options);
    return askedOf(limit, undefined);
  }
  const { sluice = createSluice(), key, shadow, countRefused, onFailure, deadlineMs, colocate } = options;
  const limitOptions = { key, shadow, countRefused, onFailure, deadlineMs, colocate };
  if (typeof limit === "function") return askedOf(sluice.limit(limit, limitOptions), undefined);
  const rule = toRule(limit);
  const needed = new Set(selectorsOf(rule));
  if (colocate !== undefined) needed.add(colocate);
  checkFacts(needed, options);
  checkPolicies(limitsOf(rule).length, options);
  return askedOf(sluice.limit(rule, limitOptions), needed);
}

function askedOf(limiter: GateLimiter, needed: Asked["needed"]): Asked {
  return { limiter, consume: consumeAtOnce(limiter), needed };
}

/** By its shape, since a limiter of another copy of the package is one too. */
function isLimiter(limit: GateLimit): limit is GateLimiter {
  const isObject = typeof limit === "function" || (typeof limit === "object" && limit !== null);
  return isObject && "consume" in limit && "refund" in limit && "charge" in limit;
}

function refuseRuleOptions<Native, Response>(options: GateOptions<Native, Response>): void {
  const names = ["sluice", ...Object.keys(RULE_OPTIONS)];
  const given = names.filter((name) => options[name as keyof GateOptions] !== undefined);
  if (given.length === 0) return;
  throw new BadOption(
    `This gate is given a limiter, which has its own ${given.join(", ")}: say it where the limiter is defined.`,
  );
}

/** Found here, and not by the first request. */
function checkFacts<Native, Response>(
  needed: ReadonlySet<string>,
  { facts = {} }: GateOptions<Native, Response>,
): void {
  if (typeof facts === "function") return;
  for (const name of needed) {
    if (name === "ip" || Object.hasOwn(facts, name)) continue;
    throw new BadOption(
      `The rule counts by "${name}", and facts have no function for it. Give one: facts: { ${name}: (request) => … }.`,
    );
  }
}

function checkPolicies<Native, Response>(limits: number, { policies }: GateOptions<Native, Response>): void {
  if (!Array.isArray(policies) || policies.length === limits) return;
  throw new BadOption(`policies name each limit of the rule: ${limits}, and these are ${policies.length}.`);
}
