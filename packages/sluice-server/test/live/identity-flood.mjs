/**
 * A live view under a flood of identities, in a process with a small heap: prints what it still knows and what it weighs.
 * Arguments: how many limits, how many identities of each, how long their values are.
 */
import { createLiveView, IDENTITY_WINDOW_SECONDS } from "../../dist/live/live-view.js";

const [limits, identities, length] = process.argv.slice(2).map(Number);

const live = createLiveView({ kind: "memory", store: { size: 0 }, describe: "memory" });
const selectors = ["user", "path"];
const FILLER = "€".repeat(30_000);
const names = Array.from({ length: limits }, (_, index) => `limit-${index}`);

/** Of two bytes a character, and cut from a longer text, as values are that come from a network. */
function pieceOf(text) {
  return `${text}${FILLER}`.slice(0, length);
}

function decide(name, facts, allowed) {
  live.onDecision(name, { selectors, facts, decision: { allowed, source: "store" }, milliseconds: 1 });
}

function weight() {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const before = weight();
let at = 1_700_000_000;
// Those that are refused come first, so that the most refused and the busiest are not the same.
for (let window = 0; window < 2; window += 1) {
  for (let index = 0; index < identities; index += 1) {
    for (const name of names) {
      const facts = { user: pieceOf(`${window} ${index} ${name}`), path: "/" };
      decide(name, facts, index >= identities / 2);
      if (index % 4 === 0) decide(name, { user: pieceOf(`often ${name}`), path: "/" }, false);
    }
  }
  for (let second = 0; window === 0 && second < IDENTITY_WINDOW_SECONDS; second += 1) {
    at += 1;
    live.tick(at * 1000);
  }
}
const bytesPerLimit = Math.round((weight() - before) / limits);
const found = names.map((name) => live.identitiesOf(name));
console.log(
  JSON.stringify({
    bytesPerLimit,
    first: found.map((known) => known.busiest()[0].values[0].slice(0, 14)),
    refused: found.map((known) => known.mostRefused()[0].values[0].slice(0, 14)),
    counts: found.map((known) => known.busiest()[0].count),
    errors: found.map((known) => known.errorAtMost),
  }),
);
