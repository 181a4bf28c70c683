/** The words of a configuration: the names of its settings, and the values that are one of a few. */

/** The names that may stand in each map, by how the map is called in messages. */
export const NAMES = {
  configuration: ["namespace", "store", "tokens", "http", "page", "limits"],
  http: ["hosts", "gateBehindProxy"],
  page: ["identities"],
  store: ["url", "deadlineMs", "onFailure", "maxKeys"],
  limit: ["rule", "cost", "shadow", "countRefused", "onFailure", "deadlineMs"],
} as const;

export const POLICIES = ["local", "allow", "deny", "throw"] as const;
export const IDENTITIES = ["shown", "hashed"] as const;
