/** What the server tells of itself and of its limits. */

export const LIMIT_LIST = {
  type: "object",
  required: ["limits"],
  properties: {
    limits: {
      type: "array",
      items: {
        type: "object",
        required: ["name", "rule", "selectors", "shadow"],
        properties: {
          name: { type: "string" },
          rule: { type: "string", examples: ["ip:5/m or user:20/h"] },
          selectors: {
            type: "array",
            description: "The facts that have to be given.",
            items: { type: "string" },
          },
          shadow: { type: "boolean", description: "Whether it only watches, and refuses nothing." },
        },
      },
    },
  },
} as const;

export const HEALTH = {
  type: "object",
  required: ["status"],
  properties: { status: { type: "string", enum: ["alive"] } },
} as const;

export const READINESS = {
  type: "object",
  required: ["status", "store"],
  properties: {
    status: { type: "string", enum: ["ready", "closing"] },
    store: { type: "string", description: "memory, or whether Redis answers or is away." },
  },
} as const;
