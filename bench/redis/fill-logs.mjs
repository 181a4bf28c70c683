/** Fills sliding logs as if requests had come evenly over the whole span until now. */
import { keyOf } from "../workloads.mjs";
import { ruleText } from "./contenders.mjs";

/** The span in steps; units of the oldest come one by one, since they will die while the log is measured. */
const STEPS = 1_000;
const FINE_STEPS = 20;

/** One log is filled through the library, on a clock that runs through the span, and copied for the other keys. */
export async function fillLogs(client, { quotas, keys, filled }) {
  const { createSluice } = await import("sluice");
  const { redisStore } = await import("sluice/redis");
  const [{ limit, seconds }] = quotas;
  const spanUs = 1e6 * seconds;
  const begin = 1000 * Date.now() - spanUs;
  let now = begin;
  const store = redisStore(client, { clock: () => now });
  const limiter = createSluice({ store }).limit(ruleText(quotas, "sliding-log"));

  const perStep = filled / STEPS;
  for (let step = 0; step < STEPS; step += 1) {
    const charges = step < FINE_STEPS ? perStep : 1;
    for (let charge = 1; charge <= charges; charge += 1) {
      now = begin + Math.round((spanUs * (step + charge / charges)) / STEPS);
      await limiter.consume({ user: keyOf(0) }, { cost: perStep / charges });
    }
  }

  const [source] = await client.keys(`*${keyOf(0)}*`);
  for (let index = 1; index < keys; index += 1) {
    await client.copy(source, source.replace(keyOf(0), keyOf(index)));
  }
  const { remaining } = await limiter.peek({ user: keyOf(keys - 1) });
  if (remaining !== limit - filled) {
    throw new Error(`The copied log has room for ${remaining} where ${limit - filled} were expected.`);
  }
}
