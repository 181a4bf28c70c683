/** Plays requests through the library and looks at the algorithm's state while it does. */
import { createSluice, memoryStore } from "sluice";
import { manualClock } from "sluice/testing";

/**
 * The memory store decides. Beside it the same algorithm is charged with the same requests, so that its
 * state can be looked at: a store keeps its own to itself.
 */
function observed(clock) {
  const store = memoryStore({ clock });
  const decide = store.decide.bind(store);
  const seen = { counter: undefined, state: undefined };
  store.decide = (plan) => {
    const verdict = decide(plan);
    seen.counter = plan.shape.counters[0];
    const { algorithm, params } = seen.counter;
    seen.state ??= algorithm.create();
    if (verdict.allowed) algorithm.charge(seen.state, params, plan.cost, clock());
    return verdict;
  };
  return { seen, store };
}

/**
 * `instants` in milliseconds, in order. Answers with what became of each request, and with `stateAt`: the
 * state at any instant, after the requests that came before it, or with `before` without those of the
 * instant itself.
 */
export async function play(rule, instants) {
  const clock = manualClock();
  const { seen, store } = observed(clock);
  const limiter = createSluice({ store }).limit(rule);
  const requests = [];
  const states = [];
  for (const at of instants) {
    clock.set(at * 1000);
    const { allowed } = await limiter.consume();
    requests.push({ at, allowed });
    states.push(structuredClone(seen.state));
  }

  /** A charge of nothing brings a state up to an instant. */
  function stateAt(ms, { before = false } = {}) {
    const played = requests.filter(({ at }) => (before ? at < ms : at <= ms)).length;
    const { algorithm, params } = seen.counter;
    const state = played === 0 ? algorithm.create() : structuredClone(states[played - 1]);
    algorithm.charge(state, params, 0, Math.floor(ms * 1000));
    return state;
  }

  return { rule, requests, stateAt };
}

/** The span of `lengthMs` in which most were admitted: an instant exactly that long ago is outside. */
export function busiest(requests, lengthMs) {
  const admitted = requests.filter(({ allowed }) => allowed).map(({ at }) => at);
  let most = { count: 0, from: 0, to: 0 };
  for (const from of admitted) {
    const within = admitted.filter((at) => at >= from && at < from + lengthMs);
    if (within.length > most.count) most = { count: within.length, from, to: within[within.length - 1] };
  }
  return most;
}
