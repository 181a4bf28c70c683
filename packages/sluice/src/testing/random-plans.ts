/** Random rules, calls and clock steps: what the differential runner asks both stores. */
import { ALGORITHM_NAMES, ALGORITHMS } from "../algorithm/registry.js";
import type { Facts } from "../plan/facts.js";
import type { Random } from "./random.js";

/** Few names and values, so that calls meet each other's state. */
const SELECTORS = ["", "", "user:", "user:", "ip:", "user+ip:"];
const USERS = ["ada", "bob", "b:{*}", null];
const IPS = ["192.0.2.1", "2001:db8::1", null];
const SPANS = [
  { span: "100ms", precisions: [":10ms", ":33ms"] },
  { span: "s", precisions: [":0.1", ":0.3", ":1s"] },
  { span: "7s", precisions: [":0.5", ":2s"] },
  { span: "m", precisions: [":1s", ":20s"] },
  { span: "h", precisions: [":1m", ":7m"] },
  { span: "d", precisions: [":10m", ":12h"] },
];

export function randomRule(random: Random, depth = 2): string {
  if (depth === 0 || random.chance(0.5)) return randomLimit(random);
  const parts = Array.from({ length: random.integer(2, 3) }, () => `(${randomRule(random, depth - 1)})`);
  return parts.join(random.pick([" and ", " or "]));
}

function randomLimit(random: Random): string {
  const algorithm = random.pick(ALGORITHM_NAMES);
  const { takes } = ALGORITHMS[algorithm];
  const limit = random.chance(0.05) ? 0 : random.integer(1, 8);
  const burst =
    takes.includes("burst") && limit > 0 && random.chance(0.5) ? ` burst ${random.integer(1, 12)}` : "";
  const { span, precisions } = random.pick(SPANS);
  const precision = takes.includes("precision") && random.chance(0.7) ? random.pick(precisions) : "";
  return `${random.pick(SELECTORS)}${limit}/${span}${precision} ${algorithm}${burst}`;
}

export type RandomCall = "consume" | "peek" | "refund" | "reset";

export function randomCall(random: Random): {
  readonly call: RandomCall;
  readonly facts: Facts;
  readonly cost: number;
} {
  const dice = random.integer(1, 100);
  const call = dice <= 75 ? "consume" : dice <= 85 ? "peek" : dice <= 97 ? "refund" : "reset";
  return {
    call,
    facts: { user: random.pick(USERS), ip: random.pick(IPS) },
    cost: random.chance(0.7) ? 1 : random.integer(1, 10),
  };
}

/** By how many microseconds the clock moves: mostly not at all or a little, sometimes far, sometimes back. */
export function randomStep(random: Random): number {
  const dice = random.integer(1, 100);
  if (dice <= 30) return 0;
  if (dice <= 60) return random.integer(1, 200_000);
  if (dice <= 80) return random.pick([33_000, 50_000, 100_000, 1_000_000, 7_000_000, 60_000_000]);
  if (dice <= 90) return random.integer(1, 100) * 36_000_000;
  if (dice <= 95) return -random.integer(1, 1_000_000);
  return -random.integer(1, 7_200) * 1_000_000 - random.integer(0, 999_999);
}
