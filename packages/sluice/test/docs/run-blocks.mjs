/**
 * Imports the modules of a task, one after the other, and tells what each printed and how it ended. In files, since
 * libraries may print to the standard output.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { mock } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import { Redis } from "ioredis-6";
import { leadTo } from "./connections.mjs";

const LONGEST_MS = 5_000;
const LONGEST_CLOSING_MS = 20_000;
/** Redis has a quarter of a second to answer, which a busy machine may need for itself. */
const MOST_TRIES = 5;

const [, , taskFile, outcomesFile] = process.argv;
const { programs, ports, holdKeys } = JSON.parse(readFileSync(taskFile, "utf8"));
const servers = holdKeys.map((port) => new Redis(port));
await Promise.all(servers.map((server) => server.ping()));
const open = leadTo(ports);

async function play({ path, usesRedis, expected }) {
  let outcome;
  for (let time = 1; time <= (usesRedis ? MOST_TRIES : 1); time += 1) {
    outcome = await playOnce(`${pathToFileURL(path).href}?${time}`);
    if (outcome.printed === expected) break;
  }
  return outcome;
}

async function playOnce(url) {
  const lines = [];
  console.log = (...values) => lines.push(format(...values));
  try {
    await Promise.all(servers.map((server) => server.flushall()));
    await inTime(import(url));
    await untilClosed();
    return { printed: lines.join("\n") };
  } catch (error) {
    const { code, message = String(error), stack = message } = error ?? {};
    return { printed: lines.join("\n"), error: { code, message, stack } };
  } finally {
    mock.timers.reset();
    open.clear();
  }
}

async function inTime(done) {
  let timer;
  const tooLong = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Not finished after ${LONGEST_MS} ms.`)), LONGEST_MS);
  });
  try {
    await Promise.race([done, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

/** A reader's program would not end with a client open. */
async function untilClosed() {
  const start = performance.now();
  while (open.size > 0) {
    if (performance.now() > start + LONGEST_CLOSING_MS) {
      throw new Error("At the end of this block a client is still open: close it.");
    }
    await delay(5);
  }
}

const outcomes = [];
for (const program of programs) outcomes.push(await play(program));
writeFileSync(outcomesFile, JSON.stringify(outcomes));
process.exit();
