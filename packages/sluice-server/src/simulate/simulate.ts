/** Plays traffic through rules on a clock of its own, in slices, so that whoever waits can be shown how far it is. */
import { createSluice, type Decision, type Facts, memoryStore, type Rule, selectorsOf } from "sluice";
import { durationInWords } from "../explain/duration.js";
import { grouped } from "../explain/numbers.js";
import { type Run, Tally, type TallyOptions } from "./tally.js";
import { type Arrival, type Traffic, TrafficError } from "./traffic.js";

export interface SimulationOptions {
  readonly lengthUs: number;
  /** Into how many stretches of time the result is cut. */
  readonly bins: number;
  readonly mostRequests?: number;
}

export interface Progress {
  /** From 0 to 1. */
  readonly done: number;
  readonly requests: number;
}

export const MOST_REQUESTS = 5_000_000;
const SLICE = 5_000;
/** Random traffic may be so much more than was expected of it. */
const SURPRISE = 1.1;

/** All rules meet the same requests; the runs are in the order of the rules. */
export async function* simulate(
  rules: readonly Rule[],
  traffic: Traffic,
  options: SimulationOptions,
): AsyncGenerator<Progress, readonly Run[]> {
  const { lengthUs, bins, mostRequests = MOST_REQUESTS } = options;
  if (traffic.expected(lengthUs) > mostRequests) throw tooMuch(traffic, lengthUs, mostRequests);
  let now = traffic.startUs;
  const clock = () => now;
  const players = rules.map((rule) => playerOf(rule, clock, { traffic: traffic.text, lengthUs, bins }));
  let requests = 0;
  for (const arrival of traffic.arrivals(lengthUs)) {
    if (requests > mostRequests * SURPRISE) throw tooMuch(traffic, lengthUs, mostRequests);
    now = traffic.startUs + arrival.at;
    for (const { tally, decide } of players) tally.add(arrival, await decide(arrival));
    requests += 1;
    if (requests % SLICE === 0) yield { done: arrival.at / lengthUs, requests };
  }
  return players.map(({ tally }) => tally.result());
}

/** Runs to the end; `onProgress` may wait, so that others get their turn. */
export async function finished<T>(
  work: AsyncGenerator<Progress, T>,
  onProgress: (progress: Progress) => void | Promise<void> = () => {},
): Promise<T> {
  for (;;) {
    const step = await work.next();
    if (step.done) return step.value;
    await onProgress(step.value);
  }
}

interface Player {
  readonly tally: Tally;
  decide(arrival: Arrival): Promise<Decision>;
}

/** One rule with counters of its own. */
function playerOf(rule: Rule, clock: () => number, options: TallyOptions): Player {
  const limiter = createSluice({ store: memoryStore({ clock }) }).limit(rule);
  const names = selectorsOf(rule);
  let [known, facts]: [string | undefined, Facts] = [undefined, {}];
  return {
    tally: new Tally(rule, options),
    decide({ key, cost }) {
      if (key !== known) [known, facts] = [key, Object.fromEntries(names.map((name) => [name, key]))];
      return limiter.consume(facts, { cost });
    },
  };
}

function tooMuch(traffic: Traffic, lengthUs: number, most: number): TrafficError {
  return new TrafficError(
    `${traffic.text} has about ${grouped(Math.round(traffic.expected(lengthUs)))} requests in ` +
      `${durationInWords(lengthUs)}, and a simulation plays at most ${grouped(most)}. ` +
      "Play a shorter time, or a lower rate.",
  );
}
