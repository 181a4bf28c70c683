/** What errors and refusals look like. */

const PROBLEM_PROPERTIES = {
  type: { type: "string", format: "uri-reference" },
  title: { type: "string" },
  status: { type: "integer", minimum: 400, maximum: 599 },
} as const;

export const PROBLEM = {
  type: "object",
  description: "An error (RFC 9457).",
  required: [...Object.keys(PROBLEM_PROPERTIES), "detail"],
  properties: {
    ...PROBLEM_PROPERTIES,
    detail: { type: "string" },
    code: { type: "string", description: "Stable, of an error that has a page in the documentation." },
  },
} as const;

export const REFUSAL = {
  type: "object",
  description: "A refusal (RFC 9457, draft-ietf-httpapi-ratelimit-headers).",
  required: [...Object.keys(PROBLEM_PROPERTIES), "violated-policies"],
  properties: {
    ...PROBLEM_PROPERTIES,
    "violated-policies": {
      type: "array",
      description: "The limits that refused, as RateLimit-Policy names them; none where the store is away.",
      items: { type: "string" },
    },
  },
} as const;
