/** What a proxy asks of the gate: `?user=42&cost=2&status=403`. */
import { ProblemError } from "./problem.js";
import { shortened } from "./shortened.js";

export interface GateQuery {
  readonly facts: Readonly<Record<string, string>>;
  readonly cost: number | undefined;
  /** What a refusal is answered with. */
  readonly status: number | undefined;
}

/** nginx's auth_request knows only 401 and 403. */
export const REFUSALS = [401, 403, 429, 503] as const;

/** Strict, since what is read in two ways counts somebody as somebody else. */
export function readGateQuery(address: string): GateQuery {
  const given = new Map<string, string>();
  const at = address.indexOf("?");
  const parts = at < 0 ? [] : address.slice(at + 1).split("&");
  for (const part of parts) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = decoded(equals < 0 ? part : part.slice(0, equals));
    if (given.has(name)) throw mistake(`${JSON.stringify(shortened(name, 60))} is given twice.`);
    given.set(name, equals < 0 ? "" : decoded(part.slice(equals + 1)));
  }
  const { cost, status, ...facts } = Object.fromEntries(given);
  return { facts, cost: costIn(cost), status: statusIn(status) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", "%20"));
  } catch {
    throw mistake("Names and values are percent-encoded UTF-8, and something in this query is not.");
  }
}

function costIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const cost = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (cost >= 1 && cost <= Number.MAX_SAFE_INTEGER) return cost;
  throw mistake("cost is a whole number of at least 1.");
}

function statusIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const status = REFUSALS.find((known) => String(known) === text);
  if (status !== undefined) return status;
  throw mistake(`status is one of ${REFUSALS.join(", ")}.`);
}

function mistake(detail: string): ProblemError {
  return new ProblemError(400, detail);
}
