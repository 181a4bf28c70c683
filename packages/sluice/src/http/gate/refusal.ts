/** What a refused request is answered with: a problem document (RFC 9457), or the caller's own response. */
import type { Decision } from "../../decision/decision.js";
import { BadAddress } from "../address/client-address.js";
import { type HeaderFields, type HeaderOptions, type HeaderWriter, writerFor } from "../headers/headers.js";
import { MissingFact } from "./readers.js";

export interface Refusal {
  readonly status: number;
  readonly headers: HeaderFields;
  readonly body: string;
}

/** What of a refusal is to be otherwise. A body that is an object is sent as JSON. */
export interface OwnRefusal {
  readonly status?: number | undefined;
  readonly headers?: HeaderFields | undefined;
  readonly body?: string | object | undefined;
}

const PROBLEM_TYPES = "https://iana.org/assignments/http-problem-types";

/** For a decision at hand, as a gate would answer it. */
export function refusalOf(decision: Decision, options?: HeaderOptions): Refusal {
  return refusalBy(writerFor(options), decision);
}

/** 429; or 503 where the store could not be asked, and the limit's failure policy is to refuse. */
export function refusalBy(writer: HeaderWriter, decision: Decision): Refusal {
  const headers = writer.fieldsOf(decision);
  if (decision.policy === "deny") {
    return problem(503, headers, {
      type: `${PROBLEM_TYPES}#temporary-reduced-capacity`,
      title: "Request cannot be satisfied due to temporary server capacity constraints",
      status: 503,
      "violated-policies": [],
    });
  }
  return problem(429, headers, {
    type: `${PROBLEM_TYPES}#quota-exceeded`,
    title: "Request cannot be satisfied as assigned quota has been exceeded",
    status: 429,
    "violated-policies": writer.violatedBy(decision),
  });
}

/** 400 for a request that cannot be counted, by the doing of who sent it; undefined for any other error. */
export function refusalFor(error: unknown): Refusal | undefined {
  const detail = error instanceof MissingFact ? error.message : "The address of the client cannot be read.";
  if (!(error instanceof MissingFact || error instanceof BadAddress)) return undefined;
  return problem(400, {}, { type: "about:blank", title: "Bad Request", status: 400, detail });
}

function problem(status: number, headers: HeaderFields, document: object): Refusal {
  return {
    status,
    headers: Object.assign(
      { "Content-Type": "application/problem+json", "Cache-Control": "no-store" },
      headers,
    ),
    body: JSON.stringify(document),
  };
}

/** The body brings its own type, unless the headers say which. */
export function withOwn(refusal: Refusal, own: OwnRefusal | undefined): Refusal {
  if (!own) return refusal;
  const { status = refusal.status, headers = {}, body } = own;
  if (body === undefined) return { status, headers: merged(refusal.headers, headers), body: refusal.body };
  const type = typeof body === "string" ? "text/plain; charset=utf-8" : "application/json";
  return {
    status,
    headers: merged({ ...refusal.headers, "Content-Type": type }, headers),
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
}

/** Names of fields are the same in any case. */
function merged(ours: HeaderFields, own: HeaderFields): HeaderFields {
  const replaced = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const kept = Object.entries(ours).filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...own };
}
