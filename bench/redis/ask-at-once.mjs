/** Child process of measure-admission: on a word from its parent, asks many times at once; says what passed. */
import { once } from "node:events";
import { keyOf } from "../workloads.mjs";
import { connect } from "./connect.mjs";
import { contenderNamed } from "./contenders.mjs";
import { ADMISSION } from "./workloads.mjs";

const { contender: name, port } = JSON.parse(process.argv[2]);
const { clientOptions, make } = contenderNamed(name);
const client = connect(port, clientOptions);
const { quotas, requests, deadlineMs } = ADMISSION;
const { consume, admitted, isRefusal, isFallback } = await make(client, quotas, { deadlineMs });
await ask(keyOf(1));

process.send("ready");
await once(process, "message");
const answers = await Promise.all(Array.from({ length: requests }, () => ask(keyOf(0))));
const passed = answers.filter(({ passes }) => passes);
const fallback = passed.filter(({ decided }) => !decided);
process.send({ admitted: passed.length, fallback: fallback.length }, () => process.exit());

async function ask(key) {
  try {
    const answer = await consume(key);
    return { passes: admitted(answer), decided: !isFallback(answer) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { passes: false, decided: true };
  }
}
