/** What requests and answers look like: held against every request, and shown in the OpenAPI document. */

const FACTS = {
  type: "object",
  description: "Selector values; null says on purpose that a limit does not apply.",
  additionalProperties: { type: ["string", "number", "boolean", "null"] },
} as const;

const COST = { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;

export const QUESTION = {
  type: "object",
  additionalProperties: false,
  properties: { facts: FACTS, cost: COST },
} as const;

export const ACTIONS = ["consume", "peek", "refund", "reset"] as const;

export const MOST_IN_BATCH = 1_000;

export const BATCH = {
  type: "object",
  additionalProperties: false,
  required: ["requests"],
  properties: {
    requests: {
      type: "array",
      minItems: 1,
      maxItems: MOST_IN_BATCH,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["limit"],
        properties: {
          limit: { type: "string" },
          action: { type: "string", enum: ACTIONS, default: "consume" },
          facts: FACTS,
          cost: COST,
        },
      },
    },
  },
} as const;

const DURATION = { type: ["integer", "null"], description: "Milliseconds; null where it is never." } as const;

const VERDICT = {
  allowed: { type: "boolean" },
  remaining: { type: ["integer", "null"], description: "null where nothing limits." },
  retryAfterMs: DURATION,
  resetAfterMs: DURATION,
} as const;

const LIMIT_STATUS = {
  type: "object",
  properties: {
    ...VERDICT,
    rule: { type: "string" },
    selector: { type: "string" },
    limit: { type: "integer" },
    windowMs: { type: "integer" },
  },
} as const;

export const DECISION = {
  type: "object",
  properties: {
    ...VERDICT,
    limits: { type: "array", items: LIMIT_STATUS },
    refusedBy: { type: "array", items: LIMIT_STATUS },
    source: { type: "string", enum: ["store", "denial-cache", "lease", "fallback"] },
    shadow: { type: "object", description: "In shadow mode, what would have been decided." },
  },
} as const;

export const LIMIT_LIST = {
  type: "object",
  properties: {
    limits: {
      type: "array",
      items: {
        type: "object",
        properties: {
          name: { type: "string" },
          rule: { type: "string" },
          selectors: { type: "array", items: { type: "string" } },
          shadow: { type: "boolean" },
        },
      },
    },
  },
} as const;

export const PROBLEM = {
  type: "object",
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    code: { type: "string" },
  },
} as const;
