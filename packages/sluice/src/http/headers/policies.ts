/** The limits of a decision as the quota policies of the RateLimit fields: each with a name of its own. */
import type { LimitStatus } from "../../decision/decision.js";
import { fieldInteger, fieldSeconds, fieldString, printable } from "./structured-field.js";

/** In the order of the rule's limits, or by a function that is asked once for each limit. */
export type PolicyNames = readonly string[] | ((limit: LimitStatus) => string);

export interface Policy {
  readonly name: string;
  /** The name as a structured field writes it. */
  readonly item: string;
  /** As draft-11 and as earlier drafts write the quota. */
  readonly parameters: string;
  readonly earlier: string;
}

export interface PolicySet {
  /** Each policy once. */
  readonly policies: readonly Policy[];
  /** For each limit of the decision the place of its policy, or -1 where the limit does not apply. */
  readonly places: readonly number[];
  /** The whole RateLimit-Policy field, in the form of draft-11 and of earlier ones. */
  readonly field: string;
  readonly earlierField: string;
}

/** A limit whose selector is null. */
export function applies({ remaining }: LimitStatus): boolean {
  return remaining !== Number.POSITIVE_INFINITY;
}

/** A function may choose among any number of rules. */
const MOST_SETS = 1000;

/** Makes the policies of each distinct list of limits once. */
export function policySets(
  names: PolicyNames | undefined,
  key: string,
): (limits: readonly LimitStatus[]) => PolicySet {
  const sets = new Map<string, PolicySet>();
  let latest: readonly LimitStatus[] = [];
  let latestSet: PolicySet | undefined;
  let onlyRule: string | undefined;

  /** Mostly a gate asks about the same limits again, often one alone, and comparing is faster than writing a signature. */
  return (limits) => {
    if (limits.length === 1 && limits[0]!.rule === onlyRule && applies(limits[0]!)) return latestSet!;
    if (latestSet === undefined || !areAlike(limits, latest)) {
      latestSet = setFor(limits);
      latest = limits;
      onlyRule = limits.length === 1 && applies(limits[0]!) ? limits[0]!.rule : undefined;
    }
    return latestSet;
  };

  function setFor(limits: readonly LimitStatus[]): PolicySet {
    let signature = "";
    for (const status of limits) {
      signature += `${applies(status) ? "+" : "-"}${status.rule}\n`;
    }
    const known = sets.get(signature);
    if (known !== undefined) return known;
    if (sets.size >= MOST_SETS) sets.clear();
    const made = setOf(limits, (status, place) => nameOf(status, place, names, key));
    sets.set(signature, made);
    return made;
  }
}

/** Whether the policies of the one are those of the other: the text of a limit says all of its quota. */
function areAlike(some: readonly LimitStatus[], others: readonly LimitStatus[]): boolean {
  if (some.length !== others.length) return false;
  for (let index = 0; index < some.length; index += 1) {
    const one = some[index]!;
    const other = others[index]!;
    if (one.rule !== other.rule || applies(one) !== applies(other)) return false;
  }
  return true;
}

/** A limit's own text says most in least space; a key keeps it apart from the same limit of another gate. */
function nameOf(status: LimitStatus, place: number, names: PolicyNames | undefined, key: string): string {
  const given = typeof names === "function" ? names(status) : names?.[place];
  if (typeof given === "string" && given !== "") return printable(given);
  return printable(key === "" ? status.rule : `${key}:${status.rule}`);
}

function setOf(
  limits: readonly LimitStatus[],
  nameFor: (status: LimitStatus, place: number) => string,
): PolicySet {
  const policies: Policy[] = [];
  const places = limits.map((status, limit) => {
    if (!applies(status)) return -1;
    const policy = policyOf(nameFor(status, limit), status, policies);
    const known = policies.indexOf(policy);
    return known >= 0 ? known : policies.push(policy) - 1;
  });
  return {
    policies,
    places,
    field: policies.map(({ item, parameters }) => item + parameters).join(","),
    earlierField: [...new Set(policies.map(({ earlier }) => earlier))].join(", "),
  };
}

/** One that is there already, if name and quota are the same; and two quotas never have one name. */
function policyOf(name: string, { rule, limit, windowMs }: LimitStatus, others: readonly Policy[]): Policy {
  const quota = fieldInteger(limit);
  const window = Math.max(1, fieldSeconds(windowMs));
  const parameters = `;q=${quota};w=${window}${burstOf(rule)}`;
  for (let number = 1; ; number += 1) {
    const numbered = number === 1 ? name : `${name}-${number}`;
    const other = others.find((policy) => policy.name === numbered);
    if (other !== undefined && other.parameters !== parameters) continue;
    if (other !== undefined) return other;
    const item = fieldString(numbered);
    return { name: numbered, item, parameters, earlier: `${quota};w=${window}` };
  }
}

/** How the text of a limit ends that admits another number at once: the field then says why more may remain than `q`. */
function burstOf(rule: string): string {
  const burst = / burst (\d+)$/.exec(rule)?.[1];
  return burst === undefined ? "" : `;sluice-burst=${fieldInteger(Number(burst))}`;
}
