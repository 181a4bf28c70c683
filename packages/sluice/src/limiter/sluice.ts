/** Where limits are defined: a namespace, a store, and the keys that are known. */
import { BadOption, checkOptions, SluiceError, shown } from "../errors.js";
import { checkFailurePolicy } from "../plan/failure-policy.js";
import { type RuleInput, toRule } from "../rule/input.js";
import { printRule } from "../rule/print.js";
import type { Rule } from "../rule/rule.js";
import { memoryStore } from "../store/memory/memory-store.js";
import type { Store } from "../store/store.js";
import type { DecisionEvent, LimitOptions } from "./bound-rule.js";
import { createLimiter, type Limiter } from "./limiter.js";
import { RecentCharges } from "./recent-charges.js";
import type { RuleFunction } from "./rule-choice.js";
import { WaitingLines } from "./waiting-line.js";

export interface SluiceOptions {
  /** Keeps apart what shares a store; "sluice" when left out. */
  readonly namespace?: string | undefined;
  /** A memory store of its own when left out. */
  readonly store?: Store | undefined;
  /** Called with every decision. What it throws, the decided call throws. */
  readonly onDecision?: ((event: DecisionEvent) => void) | undefined;
}

export interface Sluice {
  /** Binds a rule, or a function that chooses one from the facts. A bad rule throws here. */
  limit(rule: RuleInput | RuleFunction, options?: LimitOptions): Limiter;
  /** The rule and the options that were defined under this key. */
  limit(known: { readonly key: string }): Limiter;
  /** Closes what Sluice opened, never the store it was given. */
  close(): Promise<void>;
}

/** `limit({ key })` before anything was defined under that key. */
export class UnknownKey extends SluiceError {
  readonly code = "SLUICE_UNKNOWN_KEY";
}

/** Two different rules under one key would count apart under one name. */
export class KeyConflict extends SluiceError {
  readonly code = "SLUICE_KEY_CONFLICT";
}

interface Definition {
  readonly rule: Rule | RuleFunction;
  readonly options: LimitOptions;
}

export function createSluice(options: SluiceOptions = {}): Sluice {
  checkOptions("createSluice", options, { namespace: "string", store: "object", onDecision: "function" });
  const { namespace = "sluice", store, onDecision } = options;
  if (namespace === "") throw new BadOption("namespace must not be empty.");
  if (store !== undefined) checkStore(store);
  const used = store ?? memoryStore();
  const lines = new WaitingLines();
  const recent = new RecentCharges();
  const known = new Map<string, Definition>();

  function define(definition: Definition): Limiter {
    const { key } = definition.options;
    if (key !== undefined) {
      const earlier = known.get(key);
      if (earlier !== undefined && !sameRule(earlier.rule, definition.rule))
        throw conflict(key, earlier, definition);
      if (earlier === undefined) known.set(key, definition);
    }
    return createLimiter({ ...definition, namespace, store: used, recent, onDecision }, lines);
  }

  function recall(only: { readonly key: string }): Limiter {
    checkOptions("limit({ key }), which takes its rule and all else from the first definition,", only, {
      key: "string",
    });
    const { key } = only;
    const definition = known.get(key);
    if (definition !== undefined) return define(definition);
    const names = known.size === 0 ? "none yet" : [...known.keys()].slice(0, 20).map(shown).join(", ");
    throw new UnknownKey(
      `No rule is defined under the key ${shown(key)} (known: ${names}). Define it first, with its rule.`,
    );
  }

  return {
    limit(first: RuleInput | RuleFunction | { readonly key: string }, options: LimitOptions = {}): Limiter {
      if (isKeyOnly(first)) return recall({ ...options, ...first });
      const rule = typeof first === "function" ? first : toRule(first);
      checkOptions("limit", options, LIMIT_OPTIONS);
      checkFailurePolicy(options);
      return define({ rule, options });
    },
    async close() {
      if (store === undefined) await used.close();
    },
  };
}

/** A key and no rule. */
function isKeyOnly(value: unknown): value is { readonly key: string } {
  return (
    typeof value === "object" && value !== null && "key" in value && !("limit" in value || "per" in value)
  );
}

const LIMIT_OPTIONS = {
  key: "string",
  cost: "number",
  countRefused: "boolean",
  shadow: "boolean",
  selectors: "object",
  selector: "object",
  deadlineMs: "number",
  onFailure: "string",
  colocate: "string",
} as const;

function checkStore(store: object): void {
  for (const method of ["decide", "peek", "refund", "reset", "close"]) {
    if (typeof (store as Record<string, unknown>)[method] === "function") continue;
    throw new BadOption(
      `store must be a store, such as memoryStore() gives, and this object has no method "${method}".`,
    );
  }
}

function sameRule(one: Rule | RuleFunction, other: Rule | RuleFunction): boolean {
  if (typeof one === "function" || typeof other === "function") return one === other;
  return printRule(one) === printRule(other);
}

function conflict(key: string, earlier: Definition, later: Definition): KeyConflict {
  const text = ({ rule }: Definition) => (typeof rule === "function" ? "a function" : printRule(rule));
  return new KeyConflict(
    `The key ${shown(key)} already stands for ${text(earlier)}, and cannot also stand for ${text(later)}. ` +
      "Use another key, or limit({ key }) to share the rule.",
  );
}
