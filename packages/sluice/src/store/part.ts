/** Plans whose checks are kept in several places: slots of a Cluster, or several servers. */
import type { Verdict } from "../algorithm/algorithm.js";
import { admits, type Plan } from "../plan/plan.js";
import { partOf } from "../plan/shape.js";
import type { Operation } from "./evaluate.js";
import type { Charge, PlanVerdict } from "./store.js";
import type { StoreUnavailable } from "./wrap/store-unavailable.js";

/** How the checks of a part stand after what was asked. */
export interface PartVerdict {
  readonly verdicts: readonly Verdict[];
  readonly charge: Charge;
}

export interface AskOptions {
  /** Of a refund: what it gives back. */
  readonly given?: PartVerdict;
  /** What settles a hold is asked even of a place that is not asked for more. */
  readonly settles?: boolean;
}

export interface Place {
  /**
   * Decides on a whole plan. Rejects when there is no answer; a place that cannot be asked says so at once, since a
   * rejected promise for each call would cost more than the policy's answer.
   */
  decide(plan: Plan): Promise<PartVerdict> | StoreUnavailable;
  /** Rejects when there is no answer. */
  ask(operation: Operation, part: Plan, options?: AskOptions): Promise<PartVerdict>;
}

export interface Part {
  readonly place: Place;
  /** Which checks of the whole plan these are. */
  readonly checks: readonly number[];
  readonly plan: Plan;
}

/** Something that keeps each check of a plan in some place. */
export interface Partition {
  /** How long a plan may take that does not say. */
  readonly deadlineMs: number;
  /** The place of all checks, where there is only one. */
  readonly onlyPlace: Place | undefined;
  partsOf(plan: Plan): readonly Part[];
}

/** One part for each place, when `placeOf` tells a check's. */
export function partsBy(plan: Plan, placeOf: (check: number) => Place): readonly Part[] {
  const checksOf = new Map<Place, number[]>();
  for (let check = 0; check < plan.identities.length; check += 1) {
    const place = placeOf(check);
    const checks = checksOf.get(place);
    if (checks === undefined) checksOf.set(place, [check]);
    else checks.push(check);
  }
  return [...checksOf].map(([place, checks]) => ({
    place,
    checks,
    plan: checksOf.size === 1 ? plan : partOf(plan, checks),
  }));
}

export async function peekAll(plan: Plan, parts: readonly Part[]): Promise<PlanVerdict> {
  return whole(plan, parts, await askAll("peek", parts));
}

export function askAll(operation: Operation, parts: readonly Part[]): Promise<readonly PartVerdict[]> {
  return Promise.all(parts.map(({ place, plan }) => place.ask(operation, plan)));
}

/** Each part gives back what it was charged. */
export async function refundAll(parts: readonly Part[], charged: readonly PartVerdict[]): Promise<void> {
  await Promise.all(
    parts.map(({ place, plan }, number) => place.ask("refund", plan, { given: charged[number]! })),
  );
}

function whole(plan: Plan, parts: readonly Part[], answers: readonly PartVerdict[]): PlanVerdict {
  const verdicts = new Array<Verdict>(plan.identities.length);
  answers.forEach(({ verdicts: ofPart }, number) => {
    ofPart.forEach((verdict, index) => {
      verdicts[parts[number]!.checks[index]!] = verdict;
    });
  });
  return planVerdict(plan, verdicts);
}

export function planVerdict({ shape: { tree } }: Plan, verdicts: readonly Verdict[]): PlanVerdict {
  const allowed = admits(tree, verdicts);
  return { allowed, verdicts, source: "store" };
}

/**
 * Holds everywhere at once, then settles: what was held is given back where the whole plan is refused, and what was
 * not held is charged where it is admitted. So no limit is ever exceeded; the price is that a request which is
 * about to be refused may hold a place for one round trip. A place that fails after its hold keeps what it held; it
 * has told its health of the failure.
 */
export async function decideAcross(plan: Plan, parts: readonly Part[]): Promise<PlanVerdict> {
  const asked = await Promise.allSettled(parts.map(({ place, plan }) => place.ask("hold", plan)));
  const failed = asked.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) {
    asked.forEach((outcome, number) => {
      if (outcome.status === "fulfilled") void release(parts[number]!, outcome.value).catch(() => {});
    });
    throw failed.reason;
  }
  const holds = asked.map((outcome) => (outcome as PromiseFulfilledResult<PartVerdict>).value);
  const { allowed } = whole(plan, parts, holds);
  const charged = allowed || plan.shape.countRefused;
  const settled = await Promise.all(
    parts.map(async (part, number) => {
      const hold = holds[number]!;
      try {
        const answer = charged ? await chargeRest(part, hold) : await release(part, hold);
        return charged && !allowed ? await part.place.ask("peek", part.plan, { settles: true }) : answer;
      } catch {
        return hold;
      }
    }),
  );
  const { verdicts, source } = whole(plan, parts, settled);
  return allowed ? { allowed, verdicts, source, charge: holds } : { allowed, verdicts, source };
}

/** The checks of a part that a hold charged. */
function heldChecks({ plan }: Part, { verdicts }: PartVerdict): readonly number[] {
  if (!planVerdict(plan, verdicts).allowed) return [];
  return verdicts.flatMap((verdict, check) => (verdict.allowed ? [check] : []));
}

function release(part: Part, hold: PartVerdict): Promise<PartVerdict> {
  const held = heldChecks(part, hold);
  const given = { verdicts: held.map((check) => hold.verdicts[check]!), charge: chargeOf(hold, held) };
  return settle(part, hold, held, (rest) => part.place.ask("refund", rest, { given, settles: true }));
}

/** The charge of some checks of a hold. */
function chargeOf({ charge: { cost, instant, marks } }: PartVerdict, checks: readonly number[]): Charge {
  const ofCheck = (check: number) => [marks[2 * check]!, marks[2 * check + 1]!];
  return { cost, instant, marks: checks.flatMap(ofCheck) };
}

function chargeRest(part: Part, hold: PartVerdict): Promise<PartVerdict> {
  const held = heldChecks(part, hold);
  const others = hold.verdicts.flatMap((_, check) => (held.includes(check) ? [] : [check]));
  return settle(part, hold, others, (rest) => part.place.ask("charge", rest, { settles: true }));
}

/** Asks for some checks of a part, and answers with their new verdicts among the others. */
async function settle(
  { plan }: Part,
  hold: PartVerdict,
  checks: readonly number[],
  ask: (rest: Plan) => Promise<PartVerdict>,
): Promise<PartVerdict> {
  if (checks.length === 0) return hold;
  const { verdicts: fresh } = await ask(partOf(plan, checks));
  const verdicts = [...hold.verdicts];
  checks.forEach((check, index) => {
    verdicts[check] = fresh[index]!;
  });
  return { verdicts, charge: hold.charge };
}
