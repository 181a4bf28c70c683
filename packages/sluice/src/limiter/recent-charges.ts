/** The last charges of one Sluice, so that `refund(facts)` gives back a charge that was made, and no other. */
import { ChargedDecision } from "../decision/decision.js";
import type { Plan } from "../plan/plan.js";

/** Enough for what has just happened, few enough to weigh nothing. */
const MOST_REMEMBERED = 1_024;

export class RecentCharges {
  private readonly charges: ChargedDecision[] = [];
  private next = 0;
  /** The last decision that was asked for and is still to come. */
  private asked: Promise<unknown> | undefined;

  /** Noted as it is asked for, so that a refund which follows it at once finds its charge. */
  expect(decision: Promise<unknown>): void {
    this.asked = decision;
  }

  /** Resolves when all that was asked for before has been answered; undefined where the store answers at once. */
  settled(): Promise<unknown> | undefined {
    return this.asked?.catch(() => {});
  }

  add(charged: ChargedDecision): void {
    this.charges[this.next] = charged;
    this.next = (this.next + 1) % MOST_REMEMBERED;
  }

  /** The newest first: charges of the same counters that have not been given back whole. */
  *matching(plan: Plan): Iterable<ChargedDecision> {
    const { length } = this.charges;
    for (let back = 1; back <= length; back += 1) {
      const charged = this.charges[(this.next - back + length) % length]!;
      if (ChargedDecision.leftOf(charged) > 0 && isSame(ChargedDecision.planOf(charged), plan)) yield charged;
    }
  }
}

function isSame(one: Plan, other: Plan): boolean {
  return (
    one.identities.length === other.identities.length &&
    one.identities.every(
      (identity, check) =>
        identity === other.identities[check] &&
        one.shape.counters[check]!.id === other.shape.counters[check]!.id,
    )
  );
}
