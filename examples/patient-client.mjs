/**
 * A client that waits instead of failing: it keeps below what an API allows, in the order in which it was asked.
 *
 *   node examples/patient-client.mjs
 */
import { createServer } from "node:http";
import { createSluice } from "sluice";
import { header } from "sluice/http";
import { gate } from "sluice/node";

/** Stands for somebody else's API: ten requests a second for each key, and 429 beyond. */
const theirs = gate("apikey:10/s", { facts: { apikey: header("authorization") } });
const api = createServer(theirs((_request, response) => response.end("done"))).listen(0);

async function call(apikey, signal) {
  const url = `http://127.0.0.1:${api.address().port}/`;
  const response = await fetch(url, { headers: { authorization: apikey }, signal });
  await response.text();
  return response.status;
}

// Somewhat below ten a second, and one by one: on the way, requests may come closer together than they were sent.
const pace = createSluice().limit("apikey:8/s burst 1", { key: "api" });

async function callPatiently(apikey, { signal, maxWaitMs } = {}) {
  const { allowed } = await pace.wait({ apikey }, { signal, maxWaitMs });
  return allowed ? call(apikey, signal) : "not sent";
}

function tally(statuses) {
  const kinds = [...new Set(statuses)].sort();
  return kinds.map((kind) => `${statuses.filter((status) => status === kind).length} × ${kind}`).join(", ");
}

const twelve = Array.from({ length: 12 });
console.log("at once:", tally(await Promise.all(twelve.map(() => call("key-1")))));

const started = performance.now();
const waiting = Promise.all(twelve.map(() => callPatiently("key-2")));
// Who has no time leaves the line, without a request, and the others keep their places.
console.log("in a hurry:", await callPatiently("key-2", { maxWaitMs: 100 }));
console.log("patiently:", tally(await waiting));
console.log(`it took ${((performance.now() - started) / 1000).toFixed(1)} s`);

api.close();
