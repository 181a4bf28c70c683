/** How a gate is set up: what is counted, by which facts, and what is said to whom. */
import type { Decision } from "../../decision/decision.js";
import { BadOption, checkOptions, shown } from "../../errors.js";
import type { LimitOptions } from "../../limiter/bound-rule.js";
import type { Limiter } from "../../limiter/limiter.js";
import type { RuleFunction } from "../../limiter/rule-choice.js";
import type { Sluice } from "../../limiter/sluice.js";
import type { RuleInput } from "../../rule/input.js";
import type { AddressOptions } from "../address/client-address.js";
import type { HeaderOptions } from "../headers/headers.js";
import type { Reader } from "../request.js";
import type { OnWarning } from "../warnings.js";
import type { OwnRefusal, Refusal } from "./refusal.js";
import type { FactsOption } from "./request-facts.js";
import type { SettleFunction } from "./settlement.js";

/** What a gate asks of a limiter. */
export type GateLimiter = Pick<Limiter, "consume" | "peek" | "charge" | "refund">;

/** A rule, a function that chooses one from the facts, or a limiter that is defined already. */
export type GateLimit = RuleInput | RuleFunction | GateLimiter;

/** What of a limit a gate may say, unless it is given a limiter. */
type RuleOptions = Omit<LimitOptions, "cost" | "selectors" | "selector">;

export interface GateOptions<Native = unknown, NativeResponse = unknown>
  extends RuleOptions,
    AddressOptions,
    Omit<HeaderOptions, "key"> {
  /** Where the rule is defined; one in memory, for this gate alone, when left out. */
  readonly sluice?: Sluice | undefined;
  /** Who is counted. `ip` is the client's address unless it is given here. */
  readonly facts?: FactsOption<Native> | undefined;
  /** How many units a request takes, 1 when left out. Where a function answers 0, the request passes uncounted. */
  readonly cost?: number | Reader<Native, number | PromiseLike<number>> | undefined;
  /** The true cost, once the response is known. `cost`, or 1, is reserved until then, and the difference made good. */
  readonly settle?: SettleFunction<Native, NativeResponse> | undefined;
  /** Requests that are let through unseen, such as preflights and health checks. */
  readonly skip?: Reader<Native, boolean | PromiseLike<boolean>> | undefined;
  /** The caller's own response; without a decision where the request cannot be counted, which is a 400. */
  readonly refuse?:
    | ((
        refusal: Refusal,
        native: Native,
        decision: Decision | undefined,
      ) => OwnRefusal | undefined | PromiseLike<OwnRefusal | undefined>)
    | undefined;
  /** Called with every decision. What it throws, the request fails with. */
  readonly onDecision?: ((decision: Decision, native: Native) => void) | undefined;
  /** Called before a request is refused by a limit. What it throws, the request fails with. */
  readonly onRefused?: ((decision: Decision, native: Native) => void) | undefined;
  /** Told, once each, of what looks like a mistake in the configuration; the console when left out. */
  readonly onWarning?: OnWarning | undefined;
  /** Told when a request could not be settled; a warning, once, when left out. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export const RULE_OPTIONS = {
  key: "string",
  shadow: "boolean",
  countRefused: "boolean",
  onFailure: "string",
  deadlineMs: "number",
  colocate: "string",
} as const;

const GATE_OPTIONS = {
  ...RULE_OPTIONS,
  sluice: "object",
  facts: "object",
  trust: "number",
  proxyHeader: "string",
  ipv6Prefix: "number",
  cost: "number",
  settle: "function",
  headers: "string",
  policies: "object",
  skip: "function",
  refuse: "function",
  onDecision: "function",
  onRefused: "function",
  onWarning: "function",
  onError: "function",
} as const;

export function checkGateOptions<Native, Response>(options: GateOptions<Native, Response>): void {
  /** What may be of several types is checked where it is used. */
  const { facts, trust, headers, policies, cost, ...ofOneType } = options;
  checkOptions("a gate", ofOneType, GATE_OPTIONS);
  if (cost === undefined || typeof cost === "function") return;
  if (Number.isSafeInteger(cost) && cost >= 1) return;
  throw new BadOption(`cost is a whole number of at least 1, or a function, and this is ${shown(cost)}.`);
}
