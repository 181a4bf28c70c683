/** A refusal as an error of tRPC, which knows its own errors by their name. */

import type { Refused } from "../../http/gate/gate.js";
import type { Refusal } from "../../http/gate/refusal.js";
import { RateLimitExceeded } from "../../limiter/rate-limit-exceeded.js";

/** The codes of tRPC 11 and what it answers for them; of two with one status the first is thrown. */
export const TRPC_STATUS = {
  BAD_REQUEST: 400,
  PARSE_ERROR: 400,
  UNAUTHORIZED: 401,
  PAYMENT_REQUIRED: 402,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_SUPPORTED: 405,
  TIMEOUT: 408,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE_CONTENT: 422,
  PRECONDITION_REQUIRED: 428,
  TOO_MANY_REQUESTS: 429,
  CLIENT_CLOSED_REQUEST: 499,
  INTERNAL_SERVER_ERROR: 500,
  NOT_IMPLEMENTED: 501,
  BAD_GATEWAY: 502,
  SERVICE_UNAVAILABLE: 503,
  GATEWAY_TIMEOUT: 504,
} as const;

export type TrpcCode = keyof typeof TRPC_STATUS;

/** What `next()` answers. */
export interface TrpcResult {
  readonly ok: boolean;
  readonly error?: { readonly code: string };
}

/** The cause is a RateLimitExceeded with the decision, for an `errorFormatter`; none where there was no decision. */
export class RefusedCall extends Error {
  readonly code: TrpcCode;

  constructor({ refusal, decision }: Refused) {
    super(messageOf(refusal), decision === undefined ? {} : { cause: new RateLimitExceeded(decision) });
    this.name = "TRPCError";
    this.code = codeOf(refusal.status);
  }
}

export function statusOf({ ok, error }: TrpcResult): number {
  return ok ? 200 : (TRPC_STATUS[error?.code as TrpcCode] ?? 500);
}

function codeOf(status: number): TrpcCode {
  const codes = Object.keys(TRPC_STATUS) as TrpcCode[];
  return codes.find((code) => TRPC_STATUS[code] === status) ?? "TOO_MANY_REQUESTS";
}

/** Of a problem document its detail or title, of a text of one's own all. */
function messageOf({ headers, body }: Refusal): string {
  if (headers["Content-Type"] !== "application/problem+json") return body;
  const { detail, title }: { readonly detail?: string; readonly title: string } = JSON.parse(body);
  return detail ?? title;
}
