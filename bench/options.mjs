/** The command line that every benchmark takes: --quick, --rounds, --only. */
import { parseArgs } from "node:util";

export function readOptions() {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      rounds: { type: "string" },
      only: { type: "string" },
    },
  });
  return values;
}

export function roundsOf({ quick, rounds = "" }, usual) {
  if (rounds === "") return quick ? 1 : usual;
  if (/^[1-9]\d*$/.test(rounds)) return Number(rounds);
  throw new Error(`--rounds must be a whole number of at least 1, and it is ${rounds}.`);
}

export function chosenFrom(contenders, { only }) {
  if (only === undefined) return contenders;
  const names = only.split(",");
  const unknown = names.filter((name) => !contenders.some((contender) => contender.name === name));
  if (unknown.length === 0) return contenders.filter(({ name }) => names.includes(name));
  const known = contenders.map(({ name }) => name).join(", ");
  throw new Error(`--only takes names from: ${known}; and not: ${unknown.join(", ")}.`);
}
