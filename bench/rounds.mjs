/** Runs measurements in rounds, each in a process of its own, and gathers what each of them found. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
/** A client's error may show all that it had sent. */
const LONGEST_REASON = 1_000;

/**
 * Every second round goes backwards, so that a machine that slows down or speeds up during the run
 * favours nobody. Answers, for each measurement, a list with one result for each round.
 */
export async function runRounds(measurements, rounds, progress) {
  const results = measurements.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    const places = [...measurements.keys()];
    if (round % 2 === 1) places.reverse();
    for (const place of places) {
      const { script, nodeOptions, ...task } = measurements[place];
      progress.step(`round ${round + 1} of ${rounds}: ${task.workload}, ${task.contender}`);
      results[place].push(await measure(script, nodeOptions, task));
    }
  }
  return results;
}

async function measure(script, nodeOptions, task) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { stdout } = await run(process.execPath, [...nodeOptions, path, JSON.stringify(task)]).catch(
    ({ stderr, message }) => {
      const reason = (stderr || message).trim().slice(0, LONGEST_REASON);
      throw new Error(`${task.workload}, ${task.contender} failed:\n${reason}`);
    },
  );
  return JSON.parse(stdout);
}
