/** What another version of a configuration changes, as an operator is told. */
import type { Config, LimitConfig } from "../config/config.js";
import { parseStoreUrl } from "../store/store-url.js";

export interface Changes {
  /** Names of limits. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** Which tokens there are is not told. */
  readonly tokensChanged: boolean;
  /** Settings that count from the next start. */
  readonly later: readonly string[];
}

export function changesBetween(now: Config, next: Config): Changes {
  const names = (config: Config) => [...config.limits.keys()];
  return {
    added: names(next).filter((name) => !now.limits.has(name)),
    removed: names(now).filter((name) => !next.limits.has(name)),
    changed: names(next).filter((name) => {
      const limit = now.limits.get(name);
      return limit !== undefined && !isSame(limit, next.limits.get(name));
    }),
    tokensChanged: JSON.stringify(now.tokens) !== JSON.stringify(next.tokens),
    later: [
      ...(now.namespace === next.namespace ? [] : ["namespace"]),
      ...(storeText(now) === storeText(next) ? [] : ["store"]),
    ],
  };
}

function isSame(one: LimitConfig, other: LimitConfig | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** With the password, which may be what changed; only to compare. */
function storeText({ store: { url, deadlineMs, onFailure, maxKeys } }: Config): string {
  return JSON.stringify([parseStoreUrl(url), deadlineMs, onFailure, maxKeys]);
}
