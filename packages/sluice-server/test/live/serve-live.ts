/** A server with the page's routes, whose seconds pass when the test says so. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore } from "sluice";
import { onTestFinished } from "vitest";
import type { LimitConfig } from "../../src/config/config.js";
import { listenHttp } from "../../src/http/http-server.js";
import { createNamedLimits, type NamedLimits } from "../../src/limits/named-limits.js";
import { createLiveView, type LiveView } from "../../src/live/live-view.js";
import { type Ask, askAt } from "../http/ask.js";

export interface LiveServer {
  readonly url: string;
  readonly ask: Ask;
  readonly live: LiveView;
  readonly limits: NamedLimits;
  close(): Promise<void>;
}

export interface LiveOptions {
  readonly limits?: Readonly<Record<string, LimitConfig>>;
  readonly tokens?: readonly string[];
  readonly isLoopbackOnly?: boolean;
  readonly hashed?: boolean;
}

export async function serveLive(options: LiveOptions = {}): Promise<LiveServer> {
  const { limits: rules = {}, tokens = [], isLoopbackOnly = true, hashed = false } = options;
  const store = memoryStore();
  const opened = {
    kind: "memory",
    store,
    describe: "memory",
    ready: async () => {},
    close: async () => {},
  } as const;
  const live = createLiveView(opened);
  const config = {
    namespace: "live",
    store: { url: "memory" },
    tokens,
    limits: new Map(Object.entries(rules)),
  };
  const limits = createNamedLimits(config, { store, onDecision: live.onDecision });
  const folder = mkdtempSync(join(tmpdir(), "sluice-page-"));
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>page</title>");
  writeFileSync(join(folder, "page.js"), "export {};");
  writeFileSync(join(folder, "notes.txt"), "not for visitors");
  const say = () => {};
  const server = await listenHttp({
    host: "127.0.0.1",
    port: 0,
    limits,
    tokens: () => tokens,
    version: "1.2.3",
    readiness: () => ({ ready: true, store: "memory" }),
    metrics: async () => "",
    log: { info: say, warn: say, error: say },
    page: { live, folder, isLoopbackOnly, hashed: () => hashed },
  });
  const close = () => server.close();
  onTestFinished(async () => {
    await close();
    rmSync(folder, { recursive: true });
  });
  const url = `http://127.0.0.1:${server.address.port}`;
  return { url, ask: askAt(url), live, limits, close };
}
