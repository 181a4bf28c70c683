/** Imports modules, one after the other, and tells what each printed and how it ended. */
import { writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import { Redis } from "ioredis-6";
import { leadTo } from "./connections.mjs";

const LONGEST_MS = 5_000;
const LONGEST_CLOSING_MS = 1_000;
const OUTCOMES = 3;

const { modules, ports, holdKeys } = JSON.parse(process.argv[2]);
const servers = holdKeys.map((port) => new Redis(port));
await Promise.all(servers.map((server) => server.ping()));
const open = leadTo(ports);

async function play(path) {
  const lines = [];
  console.log = (...values) => lines.push(format(...values));
  try {
    await Promise.all(servers.map((server) => server.flushall()));
    await inTime(import(pathToFileURL(path).href));
    await untilClosed();
    return { printed: lines.join("\n") };
  } catch (error) {
    const { code, message = String(error), stack = message } = error ?? {};
    return { printed: lines.join("\n"), error: { code, message, stack } };
  } finally {
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
for (const path of modules) outcomes.push(await play(path));
// Libraries may print to the standard output.
writeSync(OUTCOMES, JSON.stringify(outcomes));
process.exit();
