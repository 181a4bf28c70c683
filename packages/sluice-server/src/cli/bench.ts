/** `sluice bench --store URL`: how many decisions a store gives from here, how fast, and at what price. */
import { createSluice, type Facts, selectorsOf, toRule } from "sluice";
import { roughDuration } from "../explain/duration.js";
import { grouped, percent } from "../explain/numbers.js";
import { jsonOption, storeOption, wholeNumber } from "./arguments.js";
import type { Cli } from "./cli.js";
import { EXIT, StoreAway } from "./exit-code.js";
import { type LoadReport, runLoad } from "./load.js";
import { withStore } from "./with-store.js";

interface BenchOptions {
  readonly store?: string;
  readonly callers: number;
  readonly seconds: number;
  readonly rule: string;
  readonly keys: number;
  readonly json?: boolean;
}

const HELP = `
The counters are in a namespace of their own, sluice-bench, and go by themselves. Ctrl-C ends early, with a summary.

Examples:
  sluice bench --store redis://127.0.0.1:6379
  sluice bench --store memory --rule "user:100/m" --keys 100000 --seconds 3 --json

JSON: store, rule, callers, keys, seconds, decisions, allowed, refused, decisionsPerSecond, p50Ms, p99Ms, clientCpuUs
(this process, for each decision) and errors, by reason.`;

const NAMESPACE = "sluice-bench";

export function registerBench({ program, terminal, action }: Cli): void {
  program
    .command("bench")
    .description("measure how many decisions a store gives")
    .addOption(storeOption())
    .option("--callers <number>", "how many ask at the same time", wholeNumber(1, 100_000), 100)
    .option("--seconds <number>", "for how long", wholeNumber(1, 3_600), 5)
    .option("--rule <rule>", "what is decided", "user:100/m gcra")
    .option("--keys <number>", "among how many users and the like", wholeNumber(1, 10_000_000), 10_000)
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action(
      action(async (options: BenchOptions) => {
        const { callers, seconds, keys, json } = options;
        const rule = toRule(options.rule);
        const names = selectorsOf(rule);
        const stop = new AbortController();
        const onInterrupt = () => stop.abort();
        process.once("SIGINT", onInterrupt);
        try {
          return await withStore(options.store, async (store, describe) => {
            const limiter = createSluice({ namespace: NAMESPACE, store }).limit(rule);
            let next = 0;
            const report = await runLoad({
              callers,
              seconds,
              signal: stop.signal,
              ask: () => limiter.consume(factsFor(names, next++ % keys)),
              onProgress: (standing) => terminal.progress(progressLine(standing)),
            });
            if (report.decisions === 0)
              throw new StoreAway(`${describe} answered nothing${errorsText(report)}.`);
            const what = { store: describe, rule: options.rule, callers, keys };
            terminal.out(json ? JSON.stringify({ ...what, ...report }) : summary(what, report));
            return EXIT.ok;
          });
        } finally {
          process.off("SIGINT", onInterrupt);
        }
      }),
    );
}

function factsFor(names: readonly string[], number: number): Facts {
  return Object.fromEntries(names.map((name) => [name, `${name}-${number}`]));
}

function progressLine(report: LoadReport): string {
  const { seconds, decisionsPerSecond, p50Ms, p99Ms } = report;
  const speed = `${grouped(Math.round(decisionsPerSecond))} decisions/s`;
  return `${seconds.toFixed(1)} s  ${speed}  p50 ${time(p50Ms)}  p99 ${time(p99Ms)}${errorsText(report)}`;
}

function errorsText({ errors }: LoadReport): string {
  const all = Object.entries(errors).map(([reason, count]) => `${grouped(count)} ${reason}`);
  return all.length === 0 ? "" : `  errors: ${all.join(", ")}`;
}

function time(milliseconds: number): string {
  return roughDuration(milliseconds * 1000);
}

function summary(
  what: { readonly store: string; readonly rule: string; readonly callers: number },
  report: LoadReport,
): string {
  const { decisions, seconds, decisionsPerSecond, p50Ms, p99Ms, clientCpuUs, refused } = report;
  return [
    `${what.rule} on ${what.store}, ${grouped(what.callers)} callers, ${seconds.toFixed(1)} s`,
    "",
    `  decisions   ${grouped(Math.round(decisionsPerSecond))} a second, ${grouped(decisions)} in all, ${percent(refused, decisions)} of them refused`,
    `  latency     p50 ${time(p50Ms)}, p99 ${time(p99Ms)}`,
    `  client      ${roughDuration(clientCpuUs)} of processor time for each decision`,
    `  errors      ${
      errorsText(report)
        .trim()
        .replace(/^errors: /, "") || "none"
    }`,
  ].join("\n");
}
