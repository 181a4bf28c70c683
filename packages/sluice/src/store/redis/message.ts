/** What travels to the script and back: one message for a batch of requests. */
import type { Verdict } from "../../algorithm/algorithm.js";
import { keyOf, type Plan, type Shape, type Tree } from "../../plan/plan.js";
import type { Operation, PartVerdict } from "../part.js";

/** In the script's words; see the header of lua/evaluate.lua. */
const OPERATIONS: Readonly<Record<Operation, number>> = {
  decide: 0,
  peek: 1,
  refund: 2,
  reset: 3,
  hold: 4,
  charge: 5,
};

export interface Request {
  readonly operation: Operation;
  readonly plan: Plan;
  /** Of a refund: the instant at which was charged what it gives back. */
  readonly chargedAt: number | undefined;
}

/** Where the script takes its time from, and how long a key is kept at least. */
export interface Timing {
  readonly now: number | undefined;
  readonly keepMs: number;
}

export interface Message {
  readonly keys: readonly string[];
  readonly text: string;
}

const UNKNOWN = -1;

/** Requests of one rule differ in their keys and costs only, so that the rest is said once. */
export function encode(requests: readonly Request[], { now = UNKNOWN, keepMs }: Timing): Message {
  const keys: string[] = [];
  const numbers = new Map<Shape, number>();
  let shapes = "";
  let asked = "";
  let latest: Shape | undefined;
  let number = 0;
  for (const { operation, plan, chargedAt = UNKNOWN } of requests) {
    const { shape, identities, cost } = plan;
    const { counters } = shape;
    for (let check = 0; check < identities.length; check += 1) {
      keys.push(keyOf(counters[check]!, identities[check]!));
    }
    if (shape !== latest) {
      latest = shape;
      number = numbers.get(shape) ?? 0;
      if (number === 0) {
        number = numbers.size + 1;
        numbers.set(shape, number);
        shapes += `,${shapeText(shape)}`;
      }
    }
    asked += `,${OPERATIONS[operation]},${number},${cost}`;
    if (operation === "refund") asked += `,${chargedAt}`;
  }
  return { keys, text: `[${now},${keepMs},${numbers.size}${shapes}${asked}]` };
}

const texts = new WeakMap<Shape, string>();

function shapeText(shape: Shape): string {
  let text = texts.get(shape);
  if (text === undefined) {
    const { countRefused, counters, tree } = shape;
    const checks = counters.flatMap(({ algorithm, params }) => [
      algorithm.name,
      ...Object.values(params as Record<string, number>),
    ]);
    const nodes = tree === 0 ? [] : nodesOf(tree);
    const list = [countRefused, counters.length, ...checks, nodes.length, ...nodes];
    text = JSON.stringify(list).slice(1, -1);
    texts.set(shape, text);
  }
  return text;
}

function nodesOf(tree: Tree): readonly (string | number)[] {
  return typeof tree === "number" ? [tree] : [tree.kind, tree.parts.length, ...tree.parts.flatMap(nodesOf)];
}

/** What the script answered, or what went wrong for this request alone. */
export type Outcome = PartVerdict | { readonly failure: string };

const NUMBERS_PER_CHECK = 3;
const INFINITE = -1;
const NO_INSTANT = 0;

export function decode(requests: readonly Request[], reply: unknown): readonly Outcome[] {
  if (!Array.isArray(reply)) {
    throw new TypeError(`The script answered ${typeof reply} where a list was expected.`);
  }
  const outcomes = new Array<Outcome>(requests.length);
  let place = 0;
  for (let index = 0; index < requests.length; index += 1) {
    const { operation, plan } = requests[index]!;
    const head: unknown = reply[place];
    if (operation !== "reset" && Number.isNaN(Number(head))) {
      place += 1;
      outcomes[index] = { failure: String(head) };
      continue;
    }
    let instant = NO_INSTANT;
    if (operation === "hold") {
      instant = Number(head);
      place += 1;
    }
    const checks = operation === "reset" ? 0 : plan.identities.length;
    const verdicts = new Array<Verdict>(checks);
    for (let check = 0; check < checks; check += 1) {
      verdicts[check] = verdictFrom(reply, place);
      place += NUMBERS_PER_CHECK;
    }
    outcomes[index] = { verdicts, instant };
  }
  return outcomes;
}

function verdictFrom(reply: readonly unknown[], place: number): Verdict {
  const retryAfterMs = duration(reply[place + 1]);
  return {
    allowed: retryAfterMs === 0,
    remaining: Number(reply[place]),
    retryAfterMs,
    resetAfterMs: duration(reply[place + 2]),
  };
}

function duration(value: unknown): number {
  const ms = Number(value);
  return ms === INFINITE ? Number.POSITIVE_INFINITY : ms;
}
