/** What callers hold: a rule bound to a store, as methods, as a wrapper and as a decorator. */
import { ChargedDecision, type Decision } from "../decision/decision.js";
import { BadCost, BadOption, checkOptions, shown } from "../errors.js";
import type { Facts } from "../plan/facts.js";
import type { Call } from "../plan/selectors.js";
import { answersAtOnce } from "./at-once.js";
import { type Binding, BoundRule } from "./bound-rule.js";
import { decorate, type MethodDecorator } from "./decorator.js";
import { createPass, type Pass } from "./pass.js";
import { RateLimitExceeded } from "./rate-limit-exceeded.js";
import { type Patience, waitInTurn } from "./wait.js";
import type { WaitingLines } from "./waiting-line.js";

export interface CostOptions {
  /** How many units the request takes: a whole number, 1 when left out. */
  readonly cost?: number | undefined;
}

export interface WaitOptions extends CostOptions, Patience {}

export interface Limiter extends MethodDecorator, LimiterMethods {}

export interface LimiterMethods {
  /** Decides, and charges when allowed. A refusal is a value, not an exception. */
  consume(facts?: Facts, options?: CostOptions): Promise<Decision>;
  /** What `consume` would decide; never charges. */
  peek(facts?: Facts, options?: CostOptions): Promise<Decision>;
  /** Counts what has happened already, whether it fits or not. */
  charge(facts?: Facts, options?: CostOptions): Promise<void>;
  /**
   * Gives back what a decision charged: all of it, or `cost`. By facts, gives back the newest charges that this Sluice
   * made for them, among its last 1,024. What has aged out of its window gives nothing back.
   */
  refund(charged?: Decision | Facts, options?: CostOptions): Promise<void>;
  /** Forgets all that was counted for these facts. */
  reset(facts?: Facts): Promise<void>;
  /** Resolves when admitted, first come first served; refused only when that cannot be in time. */
  wait(facts?: Facts, options?: WaitOptions): Promise<Decision>;
  /** Throws RateLimitExceeded, or gives a pass that can be refunded. */
  enter(facts?: Facts, options?: CostOptions): Promise<Pass>;
  /** The function with the limit before it; selector functions see the call's arguments. */
  wrap<This, Args extends unknown[], Result>(
    work: (this: This, ...args: Args) => Result,
  ): (this: This, ...args: Args) => Promise<Awaited<Result>>;
}

export function createLimiter(binding: Binding, lines: WaitingLines): Limiter {
  const rule = new BoundRule(binding);
  const usual = checkedCost(binding.options.cost ?? 1);
  const plan = (facts: Facts | undefined, options: CostOptions | undefined) =>
    rule.plan({ facts }, costOf(options, usual));

  /** Without a key of its own, the limiter of a function counts under the function's name. */
  function wrapNamed<This, Args extends unknown[], Result>(
    work: (this: This, ...args: Args) => Result,
    name: string,
  ): (this: This, ...args: Args) => Promise<Awaited<Result>> {
    const options = { ...binding.options, key: binding.options.key ?? name };
    const named = new BoundRule({ ...binding, options });
    async function limited(this: This, ...args: Args): Promise<Awaited<Result>> {
      await enter(named, { instance: this, args }, usual);
      return await work.apply(this, args);
    }
    Object.defineProperty(limited, "name", { value: name, configurable: true });
    Object.defineProperty(limited, "length", { value: work.length, configurable: true });
    return limited;
  }

  const decorator = (...args: unknown[]) => decorate(wrapNamed, args);
  const methods: LimiterMethods = {
    /** Not async: an answer that is there at once needs no more than one promise. */
    consume(facts, options) {
      try {
        const decision = rule.decide(plan(facts, options));
        return decision instanceof Promise ? decision : Promise.resolve(decision);
      } catch (error) {
        return Promise.reject(error);
      }
    },
    peek: async (facts, options) => rule.peek(plan(facts, options)),
    charge: async (facts, options) => rule.charge(plan(facts, options)),
    async refund(charged, options) {
      if (!ChargedDecision.isOne(charged))
        return rule.refundRecent(plan(charged as Facts | undefined, options));
      await ChargedDecision.giveBack(charged, costOf(options, ChargedDecision.leftOf(charged)));
    },
    reset: async (facts) => rule.reset(plan(facts, undefined)),
    wait: async (facts, options = {}) => waitInTurn(rule, plan(facts, options), lines, options),
    enter: async (facts, options) => enter(rule, { facts }, costOf(options, usual)),
    wrap(work) {
      if (typeof work !== "function")
        throw new BadOption(`wrap takes a function, and this is ${shown(work)}.`);
      return wrapNamed(work, work.name);
    },
  };
  return answersAtOnce(Object.assign(decorator as MethodDecorator, methods), (facts, cost) =>
    rule.decide(rule.plan({ facts }, cost === undefined ? usual : checkedCost(cost))),
  );
}

async function enter(rule: BoundRule, call: Call, cost: number): Promise<Pass> {
  const decision = await rule.decide(rule.plan(call, cost));
  if (!decision.allowed) throw new RateLimitExceeded(decision);
  return createPass(decision);
}

const CALL_OPTIONS = { cost: "number", maxWaitMs: "number", signal: "object" } as const;

function costOf(options: CostOptions | undefined, usual: number): number {
  if (options === undefined) return usual;
  if (options?.cost === undefined || Object.keys(options).length > 1)
    checkOptions("this call", options, CALL_OPTIONS);
  return options.cost === undefined ? usual : checkedCost(options.cost);
}

function checkedCost(cost: unknown): number {
  if (Number.isSafeInteger(cost) && (cost as number) >= 1) return cost as number;
  throw new BadCost(`A cost is a whole number of at least 1, and this one is ${shown(cost)}.`);
}
