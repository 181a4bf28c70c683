/** What the playground shows, as a link holds it. */
import type { AlgorithmName } from "sluice";
import { fragmentOf } from "../route.js";

export interface PlaygroundState {
  readonly rule: string;
  /** As `sluice simulate --traffic` takes it; undefined for one that suits the rule. */
  readonly traffic: string | undefined;
  /** As `--for` takes it. */
  readonly length: string | undefined;
  readonly compare: readonly AlgorithmName[];
}

/** In the order of the check boxes. */
export const ALGORITHMS: readonly AlgorithmName[] = [
  "sliding-log",
  "sliding-window",
  "fixed-window",
  "sliding-counter",
  "gcra",
  "ar1",
];

export const FIRST: PlaygroundState = {
  rule: "100/m",
  traffic: "burst:80/45s",
  length: "5m",
  compare: ["fixed-window", "gcra"],
};

/** Longer than any rule that somebody would type, and short enough to be read at once. */
const LONGEST = 2_000;

/** Whatever a link says, it is text of a bounded length. */
export function stateIn(query: URLSearchParams): PlaygroundState {
  const text = (name: string) => query.get(name)?.slice(0, LONGEST);
  const rule = text("rule");
  if (rule === undefined) return FIRST;
  const compared = (text("compare") ?? "").split(",");
  return {
    rule,
    traffic: text("traffic"),
    length: text("for"),
    compare: ALGORITHMS.filter((name) => compared.includes(name)),
  };
}

export function linkTo({ rule, traffic, length, compare }: PlaygroundState): string {
  const others = compare.length === 0 ? undefined : compare.join(",");
  return fragmentOf("playground", { rule, traffic, for: length, compare: others });
}

/** The same in a terminal. Single quotes keep a shell from reading anything into it. */
export function commandFor({ rule, traffic, length, compare }: PlaygroundState): string {
  const quoted = (text: string) => (/^[\w.,:/+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  return [
    `sluice simulate ${quoted(rule)}`,
    ...(traffic === undefined ? [] : [`--traffic ${quoted(traffic)}`]),
    ...(length === undefined ? [] : [`--for ${quoted(length)}`]),
    ...(compare.length === 0 ? [] : [`--compare ${compare.join(" ")}`]),
  ].join(" ");
}
