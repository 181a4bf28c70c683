/** Child process: how many pass when several processes ask for more than the limit at once; prints JSON. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { connect } from "./connect.mjs";
import { ADMISSION } from "./workloads.mjs";

const [task] = process.argv.slice(2);
const observer = connect(JSON.parse(task).port);
await observer.flushall("SYNC");
observer.disconnect();

const path = fileURLToPath(new URL("ask-at-once.mjs", import.meta.url));
const processes = Array.from({ length: ADMISSION.processes }, () => fork(path, [task]));
await Promise.all(processes.map(message));
const answers = Promise.all(processes.map(message));
for (const one of processes) one.send("go");
const counts = (await answers).map(([count]) => count);
const sum = (figure) => counts.reduce((total, count) => total + count[figure], 0);
console.log(JSON.stringify({ admitted: sum("admitted"), fallback: sum("fallback") }));

/** The next message, or an error when the process ends without one. */
async function message(child) {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`A process ended with ${code} before it answered.`);
  });
  return Promise.race([once(child, "message"), ended]);
}
