/**
 * The limits of the configuration, by name.
 *
 *     SLUICE.CONSUME name [COST n] selector value [selector value ...]     decides, and charges when allowed
 *     SLUICE.PEEK    name [COST n] selector value [selector value ...]     what CONSUME would answer
 *     SLUICE.REFUND  name [COST n] selector value [selector value ...]     gives back; OK
 *     SLUICE.RESET   name selector value [selector value ...]              forgets; OK
 *     SLUICE.LIMITS                                                        name, rule and selectors of each
 *
 * A decision is four integers and a list, in RESP3 a map by these names, in RESP2 an array in this order:
 * `allowed` (1 or 0), `remaining`, `retry_after_ms`, `reset_after_ms` (each -1 for infinite), and `refused_by`, the
 * limits that refused as rules, empty when allowed.
 */
import type { Decision, Facts } from "sluice";
import type { NamedLimit, NamedLimits } from "../../limits/named-limits.js";
import { textOf } from "../wire/bytes.js";
import { array, bulkText, integer, map, OK, type Protocol } from "../wire/reply.js";
import { wholeNumber } from "../wire/whole-number.js";
import { type Command, quoted, ReplyError } from "./command.js";

interface Question {
  readonly limit: NamedLimit;
  readonly facts: Facts;
  readonly options: { readonly cost: number } | undefined;
}

export function namedLimitCommands(limits: NamedLimits): readonly Command[] {
  const check = (args: readonly string[]) => checkFacts(readQuestion(args, limits));
  return [
    {
      name: "SLUICE.CONSUME",
      arity: -2,
      summary: "Decides on a limit of the configuration, and charges when allowed",
      check,
      run(args, { protocol }) {
        const { limit, facts, options } = readQuestion(args, limits);
        return limit.limiter.consume(facts, options).then((decision) => decisionReply(decision, protocol));
      },
    },
    {
      name: "SLUICE.PEEK",
      arity: -2,
      summary: "What SLUICE.CONSUME would answer; charges nothing",
      check,
      run(args, { protocol }) {
        const { limit, facts, options } = readQuestion(args, limits);
        return limit.limiter.peek(facts, options).then((decision) => decisionReply(decision, protocol));
      },
    },
    {
      name: "SLUICE.REFUND",
      arity: -2,
      summary: "Gives back what SLUICE.CONSUME charged",
      check,
      run(args) {
        const { limit, facts, options } = readQuestion(args, limits);
        return limit.limiter.refund(facts, options).then(() => OK);
      },
    },
    {
      name: "SLUICE.RESET",
      arity: -2,
      summary: "Forgets what was counted",
      check: (args) => void readReset(args, limits),
      run(args) {
        const { limit, facts } = readReset(args, limits);
        return limit.limiter.reset(facts).then(() => OK);
      },
    },
    {
      name: "SLUICE.LIMITS",
      arity: 1,
      summary: "The limits of the configuration",
      run: (_, { protocol }) => array(limits.all().map((limit) => limitReply(limit, protocol))),
    },
  ];
}

/** The first word behind the name is the option COST, or else a selector. */
function readQuestion(args: readonly string[], limits: NamedLimits): Question {
  const name = checkedText(args[1]!);
  const limit = limits.get(name);
  if (limit === undefined) throw new ReplyError(`ERR unknown limit ${quoted(args[1]!)}. Try SLUICE.LIMITS.`);
  const hasCost = args[2]?.toUpperCase() === "COST";
  if (hasCost && args.length < 4) throw new ReplyError("ERR COST is followed by a number");
  const first = hasCost ? 4 : 2;
  if ((args.length - first) % 2 !== 0) {
    throw new ReplyError("ERR selectors and values come in pairs, and the last selector has no value");
  }
  const facts: Record<string, string> = Object.create(null);
  for (let at = first; at < args.length; at += 2) {
    const selector = checkedText(args[at]!);
    if (selector in facts) throw new ReplyError(`ERR the selector ${quoted(args[at]!)} is given twice`);
    facts[selector] = checkedText(args[at + 1]!);
  }
  return { limit, facts, options: hasCost ? { cost: costOf(args[3]!) } : undefined };
}

/** What only the limiter would notice, before anything is charged. */
function checkFacts({ limit, facts }: Question): void {
  const missing = limit.selectors.find((selector) => !facts[selector]);
  if (missing === undefined) return;
  throw new ReplyError(`ERR the limit counts by '${missing}', which has no value`);
}

function readReset(args: readonly string[], limits: NamedLimits): Question {
  const question = readQuestion(args, limits);
  if (question.options !== undefined) throw new ReplyError("ERR SLUICE.RESET forgets all, and takes no COST");
  return question;
}

function costOf(text: string): number {
  const cost = wholeNumber(text);
  if (cost === undefined || cost < 1) throw new ReplyError("ERR the cost is not an integer of at least 1");
  return cost;
}

function checkedText(bytes: string): string {
  const text = textOf(bytes);
  if (text === undefined) throw new ReplyError("ERR names and values are UTF-8, and this one is not");
  return text;
}

function decisionReply(decision: Decision, protocol: Protocol): string {
  const { allowed, remaining, retryAfterMs, resetAfterMs, refusedBy } = decision;
  const fields: readonly (readonly [string, string])[] = [
    ["allowed", integer(allowed ? 1 : 0)],
    ["remaining", finite(remaining)],
    ["retry_after_ms", finite(retryAfterMs)],
    ["reset_after_ms", finite(resetAfterMs)],
    ["refused_by", array(refusedBy.map(({ rule }) => bulkText(rule)))],
  ];
  return protocol === 3 ? map(protocol, fields) : array(fields.map(([, value]) => value));
}

function finite(value: number): string {
  return integer(value === Number.POSITIVE_INFINITY ? -1 : value);
}

function limitReply({ name, config, selectors }: NamedLimit, protocol: Protocol): string {
  return map(protocol, [
    ["name", bulkText(name)],
    ["rule", bulkText(config.rule)],
    ["selectors", array(selectors.map(bulkText))],
  ]);
}
