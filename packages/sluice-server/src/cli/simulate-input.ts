/** What `sluice simulate` is told to play: traffic by its name or from a file, and algorithms to compare. */
import { readFile } from "node:fs/promises";
import { InvalidArgumentError } from "commander";
import { ALGORITHM_NAMES, type AlgorithmName } from "sluice";
import { suggestion } from "../explain/nearest-word.js";
import { listed } from "../explain/numbers.js";
import { isGenerated, parseTraffic, TRAFFIC_KINDS } from "../simulate/parse-traffic.js";
import { parseTrace } from "../simulate/trace.js";
import type { Traffic } from "../simulate/traffic.js";
import { UsageError } from "../usage-error.js";

export function algorithmsIn(text: string, before: readonly AlgorithmName[] = []): readonly AlgorithmName[] {
  const found = text.split(",").flatMap((word): readonly AlgorithmName[] => {
    if (word === "all") return ALGORITHM_NAMES;
    const name = ALGORITHM_NAMES.find((known) => known === word);
    if (name !== undefined) return [name];
    throw new InvalidArgumentError(
      `Expected all, or some of ${ALGORITHM_NAMES.join(", ")}.${suggestion(word, [...ALGORITHM_NAMES, "all"])}`,
    );
  });
  return [...before, ...found];
}

export async function trafficIn(text: string): Promise<Traffic> {
  if (isGenerated(text)) return parseTraffic(text);
  try {
    return parseTrace(await readFile(text, "utf8"), text);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new UsageError(
      `${JSON.stringify(text)} is no file that can be read (${String(error.code)}), and no traffic such as poisson:20/s: ` +
        `that is ${listed(TRAFFIC_KINDS, "or")}, with a rate.${suggestion(text, TRAFFIC_KINDS)}`,
      { cause: error },
    );
  }
}
