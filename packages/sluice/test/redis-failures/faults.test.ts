/** Every fault on a real server: each call is answered in time by the policy, and the store's return is noticed. */
import { describe, expect, type TestContext, test } from "vitest";
import { createSluice } from "../../src/limiter/sluice.js";
import { StoreUnavailable } from "../../src/store/wrap/store-unavailable.js";
import { CLIENTS, type ClientKind } from "../redis-servers/clients.js";
import { type Call, callFor, recoveryMs } from "./calls.js";
import { type Fault, KILLED, OTHER_FAULTS, STOPPED } from "./faults.js";
import { expectNoStrays } from "./strays.js";
import { reasonsOf, startSubject } from "./subject.js";

expectNoStrays();

const DEADLINE_MS = 250;
const TOLERANCE_MS = 50;
const OUTAGE_MS = 1_500;
const RECOVERY_MS = 2_000;
/** What a breaker lets through in an outage of this length. */
const MOST_BATCHES = 10;

async function endures(context: TestContext, kind: ClientKind, fault: Fault): Promise<void> {
  const subject = await startSubject(context, kind, fault);
  const { store, errors } = subject;
  const limiter = createSluice({ store }).limit("user:5/h");
  expect(await limiter.consume({ user: "before" })).toMatchObject({ source: "store", remaining: 4 });
  const batchesBefore = store.health().batches;

  await fault.begin(subject);
  const calls = await callFor(limiter, OUTAGE_MS);
  const { failures, waiting, batches } = store.health();
  const told = reasonsOf(errors);
  await fault.end(subject);
  const recovery = await recoveryMs(limiter);
  if (recovery > 2000) console.log("SLOW", kind.name, store.health(), reasonsOf(errors.slice(Object.values(told).reduce((a, b) => a + b, 0))), errors.at(-1), (store as any).inner.client.connection());
  console.log(fault.name, "|", kind.name, "| max", Math.max(...calls.map((c) => c.durationMs)).toFixed(0), "rec", recovery.toFixed(0), JSON.stringify(told), batches - batchesBefore, calls.length, store.health().lateAnswers);

  expect(Math.max(...calls.map(({ durationMs }) => durationMs))).toBeLessThanOrEqual(
    DEADLINE_MS + TOLERANCE_MS,
  );
  expect(calls.map(({ error }) => error).filter(Boolean)).toEqual([]);
  expect(sourcesOf(calls, "consume")).toEqual(new Set(["fallback"]));
  expect(sourcesOf(calls, "peek")).toEqual(new Set([fault.reads]));
  expect(calls.filter(({ kind, decision }) => kind === "consume" && decision?.allowed)).toHaveLength(5);

  expect(errors.every((error) => error instanceof StoreUnavailable)).toBe(true);
  expect(failures).toEqual({ ...NO_FAILURES, ...told });
  const { resting: _, ...causes } = told;
  expect(fault.reasons).toEqual(expect.arrayContaining(Object.keys(causes)));
  expect(causes).not.toEqual({});

  expect(waiting).toBe(0);
  if (!fault.answers) expect(batches - batchesBefore).toBeLessThanOrEqual(MOST_BATCHES);
  expect(recovery).toBeLessThanOrEqual(RECOVERY_MS);
  expect(store.health()).toMatchObject({ breaker: "closed", waiting: 0 });
}

const NO_FAILURES = {
  deadline: 0,
  "not connected": 0,
  overloaded: 0,
  resting: 0,
  refused: 0,
  unreadable: 0,
};

function sourcesOf(calls: readonly Call[], kind: Call["kind"]): ReadonlySet<unknown> {
  return new Set(calls.filter((call) => call.kind === kind).map(({ decision }) => decision?.source));
}

/** One of each library. */
const LIBRARIES = CLIENTS.filter(({ name }) => ["ioredis 5", "node-redis 5", "valkey-glide"].includes(name));

describe.concurrent.each([KILLED, STOPPED])("$name", (fault) => {
  test.for(CLIENTS)("$name", (kind, context) => endures(context, kind, fault));
});

describe.concurrent.each(OTHER_FAULTS)("$name", (fault) => {
  test.for(LIBRARIES)("$name", (kind, context) => endures(context, kind, fault));
});
