/** One fault from beginning to end, as stores of several clients live through it side by side. */
import { createSluice } from "../../src/limiter/sluice.js";
import type { RedisHealth } from "../../src/store/redis/redis-calls.js";
import type { FailureReason, StoreUnavailable } from "../../src/store/wrap/store-unavailable.js";
import type { ClientKind } from "../redis-servers/clients.js";
import { callFor, chargeMany, type KindOfCall, recoveryMs } from "./calls.js";
import type { Fault } from "./faults.js";
import { reasonsOf, startTrial } from "./trial.js";

/** What became of the store of one client. */
export interface Outcome {
  readonly calls: readonly KindOfCall[];
  readonly errors: readonly StoreUnavailable[];
  /** How often each reason was told during the outage. */
  readonly told: Partial<Record<FailureReason, number>>;
  /** At the beginning and the end of the outage, and after it. */
  readonly health: Readonly<Record<"before" | "during" | "after", RedisHealth>>;
  readonly recoveryMs: number;
}

export const LIMIT = 5;
const OUTAGE_MS = 1_500;

export async function goThrough(
  fault: Fault,
  kinds: readonly ClientKind[],
): Promise<ReadonlyMap<string, Outcome>> {
  const trial = await startTrial(fault);
  try {
    const subjects = await Promise.all(
      kinds.map(async ({ name }, index) => {
        const { store, errors } = await trial.connect(kinds[index]!);
        return { name, store, errors, limiter: createSluice({ store }).limit(`user:${LIMIT}/w`) };
      }),
    );
    const charged = await Promise.all(subjects.map(({ limiter }) => chargeMany(limiter)));
    const before = subjects.map(({ store }) => store.health());

    await fault.begin(trial);
    const calls = await Promise.all(
      subjects.map(({ limiter }, index) => callFor(limiter, OUTAGE_MS, charged[index]!)),
    );
    const during = subjects.map(({ store }) => store.health());
    const told = subjects.map(({ errors }) => reasonsOf(errors));
    await fault.end(trial);
    const recoveries = await Promise.all(subjects.map(({ limiter }) => recoveryMs(limiter)));

    return new Map(
      subjects.map(({ name, store, errors }, index) => {
        const health = { before: before[index]!, during: during[index]!, after: store.health() };
        const outcome = { calls: calls[index]!, errors, told: told[index]!, health };
        return [name, { ...outcome, recoveryMs: recoveries[index]! }];
      }),
    );
  } finally {
    await trial.stop();
  }
}
