/** What travels to the script and back: one message for a batch of requests. */
import type { Verdict } from "../../algorithm/algorithm.js";
import { type Counter, keyOf, type Plan, type Shape, type Tree } from "../../plan/plan.js";
import type { Operation } from "../evaluate.js";
import type { PartVerdict } from "../part.js";

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
  /** Of a refund: what it gives back. */
  readonly given: PartVerdict | undefined;
}

/** Time that is not Redis's own, and how long a key is then kept at least. */
export interface Timing {
  readonly now: number;
  readonly keepMs: number;
}

/** The arguments of the script. */
export interface Message {
  readonly keys: readonly string[];
  readonly args: readonly string[];
}

/** In place of a check's generation. */
const NOTHING_BACK = -1;
/** Generations are drawn from so many numbers that two batches never draw the same. */
const GENERATIONS = 2 ** 51;

/** Requests of one rule differ in their keys and costs only, so that the rest is said once. */
export function encode(requests: readonly Request[], timing: Timing | undefined): Message {
  const time = timing === undefined ? [] : [String(timing.now), String(timing.keepMs)];
  const [first] = requests;
  if (requests.length === 1 && isUsual(first!)) {
    const { shape, identities, cost } = first!.plan;
    return {
      keys: [keyOf(shape.counters[0]!, identities[0]!)],
      args: [`[${checkText(shape)},${cost},${newGeneration()}]`, ...time],
    };
  }
  const keys: string[] = [];
  const numbers = new Map<Shape, number>();
  let shapes = "";
  let asked = "";
  let latest: Shape | undefined;
  let number = 0;
  /** Requests in a row that differ in their keys only are said once. */
  let alike = "";
  let count = 0;
  let since = "";
  for (const { operation, plan, given } of requests) {
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
    const one = `${OPERATIONS[operation]},${number},${cost}`;
    if (one === alike && operation !== "refund") {
      count += 1;
      continue;
    }
    if (count > 0) asked += `,${alike},${count}${since}`;
    alike = one;
    count = 1;
    since = operation === "refund" ? `,${refundText(given!)}` : "";
  }
  const list = `[${newGeneration()},${numbers.size}${shapes}${asked},${alike},${count}${since}]`;
  return { keys, args: [list, ...time] };
}

function newGeneration(): number {
  return 1 + Math.floor(Math.random() * GENERATIONS);
}

/** Only a check that fitted gives back: beyond its limit, a charge displaced what was there. */
function refundText({ verdicts, charge: { cost, instant, marks } }: PartVerdict): string {
  const back = verdicts.map(({ allowed }, check) =>
    allowed ? `${marks[2 * check]},${marks[2 * check + 1]}` : `${NOTHING_BACK},0`,
  );
  return `${cost},${instant},${back}`;
}

/** To decide on one check, which the script has a shorter way for. */
function isUsual({ operation, plan: { shape } }: Request): boolean {
  return operation === "decide" && shape.tree === 0 && !shape.countRefused;
}

/** Written once for each shape. */
const shapeText = remembered((shape) => {
  const { countRefused, counters, tree } = shape;
  const nodes = tree === 0 ? [] : nodesOf(tree);
  return listText([countRefused, counters.length, ...counters.flatMap(checkList), nodes.length, ...nodes]);
});

const checkText = remembered(({ counters }) => listText(checkList(counters[0]!)));

function remembered(write: (shape: Shape) => string): (shape: Shape) => string {
  const texts = new WeakMap<Shape, string>();
  return (shape) => {
    let text = texts.get(shape);
    if (text === undefined) {
      text = write(shape);
      texts.set(shape, text);
    }
    return text;
  };
}

function checkList({ algorithm, params }: Counter): readonly unknown[] {
  return [algorithm.name, ...Object.values(params as Record<string, number>)];
}

function listText(list: readonly unknown[]): string {
  return JSON.stringify(list).slice(1, -1);
}

function nodesOf(tree: Tree): readonly (string | number)[] {
  return typeof tree === "number" ? [tree] : [tree.kind, tree.parts.length, ...tree.parts.flatMap(nodesOf)];
}

/** What the script answered, or what went wrong for this request alone. */
export type Outcome = PartVerdict | { readonly failure: string };

const NUMBERS_PER_CHECK = 3;
const INFINITE = -1;
/** What stands for retryAfterMs of a check that was charged and fits: this less the generation of its state. */
const FITS = -2;

export function decode(requests: readonly Request[], reply: unknown): readonly Outcome[] {
  if (!Array.isArray(reply)) {
    throw new TypeError(`The script answered ${typeof reply} where a list was expected.`);
  }
  const outcomes = new Array<Outcome>(requests.length);
  const instant = Number(reply[reply.length - 1]);
  let place = 0;
  for (let index = 0; index < requests.length; index += 1) {
    const { operation, plan } = requests[index]!;
    const head: unknown = reply[place];
    if (operation !== "reset" && Number.isNaN(Number(head))) {
      place += 1;
      outcomes[index] = { failure: String(head) };
      continue;
    }
    const checks = operation === "reset" ? 0 : plan.identities.length;
    const verdicts = new Array<Verdict>(checks);
    const marks: number[] = [];
    for (let check = 0; check < checks; check += 1) {
      const retry = Number(reply[place + 1]);
      const fits = retry <= FITS;
      verdicts[check] = verdictFrom(reply, place, fits ? 0 : retry);
      place += NUMBERS_PER_CHECK;
      /** A mark follows where the algorithm has one. */
      const isMarked = fits && plan.shape.counters[check]!.algorithm.mark !== undefined;
      marks.push(fits ? FITS - retry : 0, isMarked ? Number(reply[place]) : 0);
      if (isMarked) place += 1;
    }
    outcomes[index] = { verdicts, charge: { cost: plan.cost, instant, marks } };
  }
  return outcomes;
}

function verdictFrom(reply: readonly unknown[], place: number, retry: number): Verdict {
  const retryAfterMs = duration(retry);
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
