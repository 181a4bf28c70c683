/** What a configuration says, once it has been read and found right. */
import type { LimitOptions } from "sluice";
import type { StoreSettings } from "../store/open-store.js";

export interface Config {
  readonly namespace: string;
  readonly store: StoreConfig;
  /** Who may ask; nobody has to say who he is where there are none. */
  readonly tokens: readonly string[];
  readonly http?: HttpConfig | undefined;
  readonly page?: PageConfig | undefined;
  readonly limits: ReadonlyMap<string, LimitConfig>;
}

export interface HttpConfig {
  /** Names that the server may be asked by, besides localhost and IP addresses. */
  readonly hosts: readonly string[];
  /** Whether a proxy asks the gate with the headers of the requests that it guards. */
  readonly gateBehindProxy: boolean;
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
