/** The headers of several gates on one response: what a gate adds joins what is there. */
import type { HeaderFields } from "./headers.js";
import { integerParameter, listMembers, type NamedMember, namedMember } from "./structured-field.js";

/** What the response has under a name, as any framework gives it. */
export type CurrentHeader = (name: string) => unknown;

/**
 * Lists name gates in the order in which they were entered. A gate that adds its headers on the way in stands inside of
 * those before it, one that does so on the way out outside of those that have.
 */
export type AddedFrom = "outside" | "inside";

/**
 * What to set on a response, given what it has. The fields of draft-11 are lists and grow; of the earlier forms, which
 * tell of one limit, the one with less remaining stays, and of equal ones that of the outer gate; of Retry-After the
 * later.
 */
export function mergeHeaders(
  added: HeaderFields,
  current: CurrentHeader,
  from: AddedFrom = "inside",
): HeaderFields {
  const merged: Record<string, string> = { ...added };
  const there = (name: string) => (name in added ? textOf(current(name)) : undefined);
  const policies = there("RateLimit-Policy");
  const standings = there("RateLimit");
  if (policies !== undefined || standings !== undefined) {
    const there = { policies: policies ?? "", standings: standings ?? "" };
    const more = { policies: added["RateLimit-Policy"] ?? "", standings: added["RateLimit"] ?? "" };
    Object.assign(merged, from === "inside" ? mergedPolicies(there, more) : mergedPolicies(more, there));
  }
  for (const prefix of ["RateLimit", "X-RateLimit"]) {
    const remaining = there(`${prefix}-Remaining`);
    const more = Number(remaining) - Number(added[`${prefix}-Remaining`]);
    if (remaining === undefined || more > 0 || (more === 0 && from === "outside")) continue;
    for (const end of ["Limit", "Remaining", "Reset"]) delete merged[`${prefix}-${end}`];
  }
  const retryAfter = there("Retry-After");
  if (retryAfter !== undefined && Number(retryAfter) > Number(added["Retry-After"])) {
    delete merged["Retry-After"];
  }
  return merged;
}

function textOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.join(", ");
  return value === undefined || value === null || value === "" ? undefined : String(value);
}

function mergedPolicies(outer: Lists, inner: Lists): HeaderFields {
  if (!isNamed(outer) && !isNamed(inner)) return mergedEarlier(outer, inner);
  /** Two forms in one field are none: that of the newer draft stays. */
  if (!isNamed(outer)) return fieldsOf(inner);
  if (!isNamed(inner)) return fieldsOf(outer);
  return mergedLists(outer, inner);
}

interface Lists {
  readonly policies: string;
  readonly standings: string;
}

function fieldsOf({ policies, standings }: Lists): HeaderFields {
  return {
    ...(policies !== "" && { "RateLimit-Policy": policies }),
    ...(standings !== "" && { RateLimit: standings }),
  };
}

/** As since draft-8: members begin with the name of their policy. */
function isNamed({ policies, standings }: Lists): boolean {
  return policies.startsWith('"') || standings.startsWith('"');
}

function mergedEarlier(outer: Lists, inner: Lists): HeaderFields {
  const policies = new Set([...listMembers(outer.policies), ...listMembers(inner.policies)]);
  const left = ({ standings }: Lists) =>
    standings === ""
      ? Number.POSITIVE_INFINITY
      : (integerParameter(standings, "remaining") ?? Number.MAX_VALUE);
  const { standings } = left(outer) <= left(inner) ? outer : inner;
  return fieldsOf({ policies: [...policies].join(", "), standings });
}

/** The same name with the same quota is one policy, of which the tighter standing counts; with another it is renamed. */
function mergedLists(outer: Lists, inner: Lists): HeaderFields {
  const policies = membersOf(outer.policies);
  const renamed = new Map<string, string>();
  for (const { name, parameters } of membersOf(inner.policies)) {
    let free = name;
    for (let number = 2; ; number += 1) {
      const other = policies.find((policy) => policy.name === free);
      if (other === undefined) policies.push({ name: free, parameters });
      if (other === undefined || other.parameters === parameters) break;
      free = `${name}-${number}`;
    }
    renamed.set(name, free);
  }
  const standings = membersOf(outer.standings);
  for (const { name, parameters } of membersOf(inner.standings)) {
    const standing = { name: renamed.get(name) ?? name, parameters };
    const place = standings.findIndex((other) => other.name === standing.name);
    if (place < 0) standings.push(standing);
    else if (isTighter(standing, standings[place]!)) standings[place] = standing;
  }
  return fieldsOf({ policies: listOf(policies), standings: listOf(standings) });
}

function membersOf(list: string): NamedMember[] {
  return listMembers(list).flatMap((member) => namedMember(member) ?? []);
}

function listOf(members: readonly NamedMember[]): string {
  return members.map(({ name, parameters }) => `"${name}"${parameters}`).join(",");
}

function isTighter(one: NamedMember, other: NamedMember): boolean {
  const left = ({ parameters }: NamedMember) => integerParameter(parameters, "r") ?? Number.POSITIVE_INFINITY;
  const wait = ({ parameters }: NamedMember) => integerParameter(parameters, "t") ?? 0;
  return left(one) < left(other) || (left(one) === left(other) && wait(one) > wait(other));
}
