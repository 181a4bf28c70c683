/** A process of its own that consumes through the built library; its parent says what, and counts. */
import { Cluster, Redis } from "ioredis-5";
import { createSluice } from "sluice";
import { redisStore } from "sluice/redis";

const { single, cluster } = JSON.parse(process.argv[2]);
const client = cluster === undefined ? new Redis(single) : new Cluster(cluster.nodes);
const store = redisStore(client, { deadlineMs: 30_000, onFailure: "throw" });

const PER_TURN = 100;
const nextTurn = () => new Promise(setImmediate);

/** All at once, but from several turns of the event loop, so that what other processes ask comes in between. */
async function run({ namespace, rule, options, requests, cost, facts }) {
  const limiter = createSluice({ namespace, store }).limit(rule, options);
  const asked = [];
  while (asked.length < requests) {
    asked.push(limiter.consume(facts[asked.length % facts.length], { cost }));
    if (asked.length % PER_TURN === 0) await nextTurn();
  }
  const decisions = await Promise.all(asked);
  return {
    admitted: facts.map((_, which) => decisions.filter(isAdmittedOf(which, facts.length)).length),
    retryAfterMs: decisions.map(({ retryAfterMs }) => retryAfterMs),
  };
}

function isAdmittedOf(which, facts) {
  return ({ allowed }, index) => allowed && index % facts === which;
}

async function answer(task) {
  return task === undefined ? { now: Date.now() } : run(task);
}

process.on("message", ({ id, task }) => {
  answer(task).then(
    (outcome) => process.send({ id, outcome }),
    (error) => process.send({ id, failure: String(error?.stack ?? error) }),
  );
});
process.on("disconnect", () => process.exit());
client.on("error", () => {});
client.on("ready", () => process.send({ ready: true }));
