/** `sluice simulate RULE --traffic …`: offered against admitted on a virtual clock, as a chart, as SVG or as JSON. */
import { writeFile } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type AlgorithmName, toRule } from "sluice";
import { percent } from "../explain/numbers.js";
import { rulesFor } from "../simulate/same-quota.js";
import { finished, simulate } from "../simulate/simulate.js";
import { peakTable, summaryTable } from "../simulate/summary-table.js";
import { svgChart } from "../simulate/svg-chart.js";
import type { Run } from "../simulate/tally.js";
import { GUTTER, legend, terminalChart } from "../simulate/terminal-chart.js";
import { UsageError } from "../usage-error.js";
import { duration, jsonOption } from "./arguments.js";
import type { Cli } from "./cli.js";
import { EXIT } from "./exit-code.js";
import { algorithmsIn, trafficIn } from "./simulate-input.js";
import type { Terminal } from "./terminal.js";

interface SimulateOptions {
  readonly traffic: string;
  /** In microseconds. */
  readonly for?: number;
  readonly compare?: readonly AlgorithmName[];
  readonly svg?: string;
  readonly ascii?: boolean;
  readonly json?: boolean;
}

const HELP = `
Traffic:
  steady:20/s        one request every 50 ms
  poisson:20/s       random with that mean; poisson:20/s,7 is the same with the seed 7
  burst:50/10s       50 at once, every 10 s
  ramp:1/s..50/s     from one rate to the other
  trace.csv          one request a line: its instant in seconds, and if you like its cost and its key; a first line
                     such as ms,key,cost names other columns

Examples:
  sluice simulate "10/s" --traffic poisson:20/s --for 1m
  sluice simulate "100/m" --traffic burst:80/45s --for 5m --compare fixed-window gcra
  sluice simulate "user:10/m" --traffic access.csv --compare all --svg chart.svg

JSON: runs, one for each rule, with rule, traffic, lengthMs, binMs, offered, admitted and refused { requests, units },
bins { atMs, offered, admitted }, firstRefusalMs, worstRetryMs (null where there is none), neverFit, and peaks, for
each limit of the rule the most admitted in any window: rule, limit, windowMs, most, fromMs, untilMs, key.`;

const USUAL_LENGTH_US = 60_000_000;
const CHART_ROWS = 8;
const CHART_ROWS_OF_MANY = 4;
const BINS_OF_A_PICTURE = 120;
const BINS_AT_MOST = 120;

export function registerSimulate({ program, terminal, action }: Cli): void {
  program
    .command("simulate")
    .description("play traffic through a rule and see what is admitted")
    .argument("<rule...>", "a rule, such as user:10/5m")
    .requiredOption(
      "--traffic <traffic>",
      "steady:20/s, poisson:20/s, burst:50/10s, ramp:1/s..50/s or a file",
    )
    .option("--for <span>", "how long; 1m, or all of a file, when left out", duration)
    .option("--compare <algorithms...>", "the same quota under other algorithms too, or all", algorithmsIn)
    .option("--svg <file>", "write the chart as SVG")
    .option("--ascii", "draw with plain characters")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action(
      action(async (words: readonly string[], options: SimulateOptions) => {
        const rules = rulesFor(toRule(words.join(" ")), options.compare ?? []);
        const traffic = await trafficIn(options.traffic);
        const lengthUs = options.for ?? traffic.lengthUs ?? USUAL_LENGTH_US;
        const forTerminal = !options.json && options.svg === undefined;
        const bins = forTerminal ? Math.min(BINS_AT_MOST, terminal.width - GUTTER) : BINS_OF_A_PICTURE;
        const runs = await finished(simulate(rules, traffic, { lengthUs, bins }), async ({ done }) => {
          terminal.progress(`simulating ${percent(done, 1)}`);
          await nextTurn();
        });
        terminal.endProgress();
        if (options.svg !== undefined) await writeSvg(options.svg, runs);
        terminal.out(options.json ? JSON.stringify({ runs }) : report(runs, terminal, options));
        return EXIT.ok;
      }),
    );
}

async function writeSvg(file: string, runs: readonly Run[]): Promise<void> {
  try {
    await writeFile(file, svgChart(runs));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`The picture cannot be written: ${reason}`, { cause: error });
  }
}

function report(runs: readonly Run[], terminal: Terminal, { ascii, svg }: SimulateOptions): string {
  if (svg !== undefined)
    return [summaryTable(runs), "", peakTable(runs), "", `The chart is in ${svg}.`].join("\n");
  const style = { unicode: terminal.unicode && !ascii, colour: terminal.colour };
  const top = Math.max(1, ...runs.flatMap(({ bins }) => bins.map(({ offered }) => offered)));
  const rows = runs.length === 1 ? CHART_ROWS : CHART_ROWS_OF_MANY;
  return [
    ...runs.flatMap((run) => [run.rule, terminalChart(run, top, rows, style), ""]),
    legend(style),
    "",
    summaryTable(runs),
    "",
    peakTable(runs),
  ].join("\n");
}
