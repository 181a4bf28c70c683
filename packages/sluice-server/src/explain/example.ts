/** A rule at work: a first request and a refused one, played on a memory store of its own. */
import {
  createSluice,
  type Decision,
  type Facts,
  keysOf,
  type Limit,
  limitsOf,
  memoryStore,
  type Rule,
  selectorsOf,
} from "sluice";

export interface Example {
  readonly first: Decision;
  /** Once all is used up; missing where that would take too much to reach. */
  readonly refused: Decision | undefined;
}

/** An ordinary instant that is no boundary of any window: what is shown should not depend on luck. */
const SOME_INSTANT = 1_700_000_012_345_678;

/** Each round uses up what is left of one more limit. */
const MOST_ROUNDS = 300;
/** A log remembers each unit: so many are used up for an example, and no more. */
const MOST_UNITS = 1_000_000;

export async function exampleOf(rule: Rule): Promise<Example> {
  const facts = exampleFacts(rule);
  const limiter = createSluice({ store: memoryStore({ clock: () => SOME_INSTANT }) }).limit(rule);
  const first = await limiter.consume(facts);
  const rounds = unitsIn(rule) > MOST_UNITS ? 0 : MOST_ROUNDS;
  for (let round = 0; round < rounds; round += 1) {
    const next = await limiter.peek(facts);
    if (!next.allowed) return { first, refused: next };
    await limiter.consume(facts, { cost: Math.max(1, next.remaining) });
  }
  return { first, refused: undefined };
}

function unitsIn(rule: Rule): number {
  const logs = limitsOf(rule).filter(({ algorithm }) => algorithm === "sliding-log");
  return logs.reduce((units, { quota }) => units + quota.limit, 0);
}

/** What a limit's counter is called in a store, for a user called `user-12345` and the like. */
export async function exampleKeyOf(limit: Limit): Promise<string> {
  const keys: string[] = [];
  const store = memoryStore();
  const { decide } = store;
  store.decide = (plan) => {
    keys.push(...keysOf(plan));
    return decide.call(store, plan);
  };
  await createSluice({ store }).limit(limit).consume(exampleFacts(limit));
  return keys[0]!;
}

function exampleFacts(rule: Rule): Facts {
  return Object.fromEntries(selectorsOf(rule).map((name) => [name, `${name}-12345`]));
}
