/** The true cost of a request, when its response is known: what was reserved before is made good. */
import type { Decision } from "../../decision/decision.js";
import { shown } from "../../errors.js";
import type { Limiter } from "../../limiter/limiter.js";
import type { Facts } from "../../plan/facts.js";
import type { Warn } from "../warnings.js";

/** What an adapter knows of a response, whether it was sent to its end or not. */
export interface SettledResponse<NativeResponse = unknown> {
  readonly status: number;
  /** The client went away before the end. */
  readonly aborted: boolean;
  readonly native: NativeResponse;
}

/** The cost that is true after all: a whole number, 0 included. */
export type SettleFunction<Native, NativeResponse> = (
  response: SettledResponse<NativeResponse>,
  native: Native,
  decision: Decision,
) => number | PromiseLike<number>;

/** Never rejects, and only the first call counts. */
export type Settle<NativeResponse> = (response: SettledResponse<NativeResponse>) => Promise<void>;

export interface Reservation<Native> {
  readonly facts: Facts;
  readonly native: Native;
  readonly decision: Decision;
  /** What has been charged already. */
  readonly reserved: number;
}

export interface SettlementSettings<Native, NativeResponse> {
  readonly limiter: Pick<Limiter, "charge" | "refund">;
  readonly settle: SettleFunction<Native, NativeResponse>;
  readonly onError: ((error: unknown) => void) | undefined;
  readonly warn: Warn;
}

export function settlements<Native, NativeResponse>(settings: SettlementSettings<Native, NativeResponse>) {
  const { limiter, settle, warn } = settings;
  const { onError = (error: unknown) => warn("settle", unsettled(error)) } = settings;

  async function makeGood(reservation: Reservation<Native>, response: SettledResponse<NativeResponse>) {
    const { facts, native, decision, reserved } = reservation;
    const cost = await settle(response, native, decision);
    if (!Number.isSafeInteger(cost) || cost < 0) {
      return warn("cost", `settle gives a whole number of at least 0, and it gave ${shown(cost)}. ${STAYS}`);
    }
    if (cost < reserved) await limiter.refund(decision, { cost: reserved - cost });
    if (cost > reserved) await limiter.charge(facts, { cost: cost - reserved });
  }

  return (reservation: Reservation<Native>): Settle<NativeResponse> => {
    let settled: Promise<void> | undefined;
    return (response) => {
      settled ??= makeGood(reservation, response)
        .catch(onError)
        .catch(() => undefined);
      return settled;
    };
  };
}

const STAYS = "What was reserved stays charged.";

function unsettled(error: unknown): string {
  const reason = error instanceof Error ? error.message : shown(error);
  return `A request could not be settled: ${reason} ${STAYS} Give onError to hear of every such error.`;
}
