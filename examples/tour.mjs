/** A tour of Sluice in the terminal, five seconds long: `npm run tour -w examples`. */
import { setTimeout as pause } from "node:timers/promises";
import { and, createSluice, explain, memoryStore, or } from "sluice";
import { manualClock } from "sluice/testing";

const colourful = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code) => (text) => (colourful ? `\x1b[${code}m${text}\x1b[0m` : text);
const [bold, dim, red, green] = [1, 2, 31, 32].map(paint);

function say(line = "") {
  console.log(line === "" ? "" : `  ${line}`);
}

function chapter(title, code) {
  say();
  say(bold(title));
  for (const line of code) say(dim(line));
  say();
}

function mark(allowed) {
  return allowed ? green("●") : red("×");
}

/** Seconds since it was started. */
function stopwatch() {
  const start = performance.now();
  return () => `${((performance.now() - start) / 1000).toFixed(2)} s`;
}

/** A client that asks eight times a second, where five are allowed. */
async function burst() {
  chapter("1. Five a second, and a client that asks for more", [
    'const limiter = createSluice().limit("5/s");',
    "const { allowed, remaining, retryAfterMs } = await limiter.consume();",
  ]);
  const limiter = createSluice().limit("5/s");
  const time = stopwatch();
  for (let request = 1; request <= 13; request += 1) {
    const { allowed, remaining, retryAfterMs } = await limiter.consume();
    const answer = allowed ? `admitted, ${remaining} left` : `refused, try again in ${retryAfterMs} ms`;
    say(`${mark(allowed)} ${time()}  ${answer}`);
    await pause(120);
  }
}

const RULES = [
  "5/10s",
  "5/10s:1s",
  "5/10s fixed-window",
  "5/10s sliding-counter",
  "5/10s gcra",
  "5/10s:1s ar1",
];
const COLUMN_MS = 400;
const FIRST_MS = 6_800;
const TRAFFIC = "xxxxxx  xxxxxx    x  x xxxxx    xxxxx   x   xx";
const RULER = "        10 s                     20 s      most in 10 s";

/** The same requests through each algorithm. The clock is moved by hand, so this takes no time. */
async function sideBySide() {
  chapter("2. The same requests through six algorithms", [
    'const limiter = sluice.limit("5/10s gcra"); // or another name, or none: an exact sliding log',
  ]);
  say(dim(`${" ".repeat(22)}${RULER}`));
  for (const rule of RULES) {
    const { row, most } = await play(rule);
    say(`${rule.padEnd(22)}${row}  ${String(most).padStart(6)}`);
    await pause(120);
  }
}

async function play(rule) {
  const clock = manualClock();
  const limiter = createSluice({ store: memoryStore({ clock }) }).limit(rule);
  const admitted = [];
  let row = "";
  for (const [column, sign] of [...TRAFFIC].entries()) {
    const now = FIRST_MS + column * COLUMN_MS;
    clock.set(now * 1000);
    const allowed = sign === "x" && (await limiter.consume()).allowed;
    if (allowed) admitted.push(now);
    row += sign === "x" ? mark(allowed) : " ";
  }
  const within = (from) => admitted.filter((at) => at >= from && at < from + 10_000).length;
  return { row, most: Math.max(...admitted.map(within)) };
}

/** A refusal names the limits that made it, and when to come back. */
async function sentences() {
  chapter("3. Many limits, one decision, and a sentence that explains it", [
    'or("ip:2/m", "user:4/h")   // refuses when any is over',
    'and("user:2/m", "3/m")     // refuses only when all are over',
  ]);
  const sluice = createSluice({ store: memoryStore({ clock: manualClock() }) });

  async function ask(limiter, facts) {
    const decision = await limiter.consume(facts);
    say(`${mark(decision.allowed)} ${Object.values(facts).join(" from ").padEnd(19)} ${explain(decision)}`);
    await pause(60);
  }

  const login = sluice.limit(or("ip:2/m", "user:4/h"));
  for (const ip of ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.7", "192.0.2.7", "192.0.2.9"]) {
    await ask(login, { user: "ada", ip });
  }
  say();
  const shared = sluice.limit(and("user:2/m", "3/m"));
  for (const user of ["ada", "ada", "ada", "ada", "bob"]) await ask(shared, { user });
}

/** All calls are made at once; each goes out in its turn. */
async function pacing() {
  chapter("4. Waiting instead of refusing: a client that keeps its pace", [
    'const pace = sluice.limit("4/s burst 1");',
    "await pace.wait(); // first come, first served",
  ]);
  const pace = createSluice().limit("4/s burst 1");
  const time = stopwatch();
  async function send(name) {
    await pace.wait();
    say(`${mark(true)} ${time()}  GET /${name}`);
  }
  await Promise.all(["users", "orders", "items", "prices", "stock", "news"].map(send));
}

function next() {
  chapter("What next", [
    'import { createSluice } from "sluice";',
    "",
    'const login = createSluice().limit("ip:5/m or user:20/h", { key: "login" });',
    "const decision = await login.consume({ ip, user });",
    "if (!decision.allowed) reply(429, { retryAfterMs: decision.retryAfterMs });",
  ]);
  say("docs/guide/start.md                  the first limit, step by step");
  say("docs/guide/choose-an-algorithm.md    which of the six, and why");
  say("docs/guide/rules.md                  all that a rule can say");
  say();
}

for (const part of [burst, sideBySide, sentences, pacing, next]) await part();
