/** What decisions look like, one or many. */

const VERDICT = {
  allowed: { type: "boolean" },
  remaining: {
    type: ["integer", "null"],
    description: "How many more units would be allowed right now; null where nothing limits.",
    minimum: 0,
  },
  retryAfterMs: {
    type: ["integer", "null"],
    description: "When the same request would be allowed: 0 when it is, null where it never will.",
    minimum: 0,
  },
  resetAfterMs: {
    type: ["integer", "null"],
    description: "When the limit is as good as unused.",
    minimum: 0,
  },
} as const;

export const LIMIT_STATUS = {
  type: "object",
  description: "How one limit of the rule stands.",
  required: [...Object.keys(VERDICT), "rule", "selector", "limit", "windowMs"],
  properties: {
    ...VERDICT,
    rule: { type: "string", examples: ["user:20/h"] },
    selector: { type: "string", description: "Empty where all requests count together." },
    limit: { type: "integer", minimum: 0 },
    windowMs: { type: "integer", minimum: 1 },
  },
} as const;

const STATUSES = { type: "array", items: { $ref: "#/components/schemas/LimitStatus" } } as const;

export const DECISION = {
  type: "object",
  required: [...Object.keys(VERDICT), "limits", "refusedBy", "source"],
  properties: {
    ...VERDICT,
    limits: { ...STATUSES, description: "One for each limit of the rule, in its order." },
    refusedBy: { ...STATUSES, description: "The limits that made it refuse; empty when allowed." },
    source: {
      type: "string",
      description: "Who decided; fallback is the failure policy, where the store did not answer.",
      enum: ["store", "denial-cache", "lease", "fallback"],
    },
    policy: {
      type: "string",
      description: "Only with the source fallback: which failure policy answered.",
      enum: ["local", "allow", "deny"],
    },
    shadow: {
      $ref: "#/components/schemas/Decision",
      description: "Only of a limit in shadow mode: what it would have decided.",
    },
  },
} as const;

export const BATCH_ANSWERS = {
  type: "object",
  required: ["answers"],
  properties: {
    answers: {
      type: "array",
      description: "One for each request, in their order.",
      items: {
        oneOf: [
          {
            type: "object",
            required: ["decision"],
            properties: {
              decision: {
                description: "null for a refund or a reset that was done.",
                oneOf: [{ $ref: "#/components/schemas/Decision" }, { type: "null" }],
              },
            },
          },
          {
            type: "object",
            required: ["problem"],
            properties: { problem: { $ref: "#/components/schemas/Problem" } },
          },
        ],
      },
    },
  },
} as const;
