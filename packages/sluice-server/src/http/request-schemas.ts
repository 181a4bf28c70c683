/** What requests look like: each is held against it before anything is asked. */

export const ACTIONS = ["consume", "peek", "refund", "reset"] as const;

const MOST_IN_BATCH = 1_000;

const FACTS = {
  type: "object",
  description:
    "What is known of the request: a value for each selector of the limit's rule. null says on purpose that the " +
    'limits by this selector do not apply; what is left out is an error. 42 and "42" are the same user.',
  additionalProperties: {
    type: ["string", "number", "boolean", "null"],
    description: "Numbers beyond 2^53 - 1 go as text, since JSON readers make one number of many.",
    minimum: -Number.MAX_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
  },
  examples: [{ user: "ada", ip: "192.0.2.7" }],
} as const;

const COST = {
  type: "integer",
  description: "How many units the request takes. Left out, it is the limit's own cost, or else 1.",
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
} as const;

export const QUESTION = {
  type: "object",
  additionalProperties: false,
  properties: { facts: FACTS, cost: COST },
} as const;

export const SUBJECT = {
  type: "object",
  additionalProperties: false,
  properties: { facts: FACTS },
} as const;

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
          limit: { type: "string", description: "The limit's name." },
          action: { type: "string", enum: ACTIONS, default: "consume" },
          facts: FACTS,
          cost: COST,
        },
      },
    },
  },
} as const;
