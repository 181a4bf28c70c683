/** The headers that an HTTP surface gives with a decision: draft-ietf-httpapi-ratelimit-headers-11. */
import type { Decision, LimitStatus } from "sluice";

export interface RateLimitHeaders {
  readonly "RateLimit-Policy": string;
  readonly RateLimit: string;
  /** Only on a refusal, and only where waiting helps. */
  readonly "Retry-After"?: string;
}

/** The largest integer of a structured field (RFC 9651). */
const LARGEST_INTEGER = 999_999_999_999_999;

export function headersOf({ allowed, limits, retryAfterMs }: Decision): RateLimitHeaders {
  return {
    "RateLimit-Policy": limits.map(policyOf).join(","),
    RateLimit: limits.map(standingOf).join(","),
    ...(!allowed && Number.isFinite(retryAfterMs) && { "Retry-After": String(seconds(retryAfterMs)) }),
  };
}

function policyOf({ rule, limit, windowMs }: LimitStatus): string {
  return `${quoted(rule)};q=${integer(limit)};w=${Math.max(1, seconds(windowMs))}`;
}

/** `t` tells who is out when he may come back, and everybody else when the limit is as good as unused. */
function standingOf({ rule, allowed, remaining, retryAfterMs, resetAfterMs }: LimitStatus): string {
  const wait = allowed || !Number.isFinite(retryAfterMs) ? resetAfterMs : retryAfterMs;
  return `${quoted(rule)};r=${integer(remaining)};t=${seconds(wait)}`;
}

function seconds(milliseconds: number): number {
  return integer(Math.ceil(milliseconds / 1000));
}

function integer(value: number): number {
  return Math.min(LARGEST_INTEGER, value);
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
