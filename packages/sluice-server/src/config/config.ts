/** What a configuration says, once it has been read and found right. */
import type { LimitOptions } from "sluice";
import type { StoreSettings } from "../store/open-store.js";

export interface Config {
  readonly namespace: string;
  readonly store: StoreConfig;
  /** Who may ask; nobody has to say who he is where there are none. */
  readonly tokens: readonly string[];
  readonly page?: PageConfig | undefined;
  readonly limits: ReadonlyMap<string, LimitConfig>;
}

export interface PageConfig {
  /** How the page shows who is being limited: by his facts, or by hashes that cannot be turned back. */
  readonly identities: "shown" | "hashed";
}

export interface StoreConfig extends StoreSettings {
  /** "memory", or a URL as `--store` takes it. */
  readonly url: string;
}

export interface LimitConfig
  extends Pick<LimitOptions, "cost" | "shadow" | "countRefused" | "onFailure" | "deadlineMs"> {
  readonly rule: string;
}
