import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string) => fileURLToPath(new URL(`./packages/sluice/src/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^sluice\/http$/, replacement: source("http/index.ts") },
      { find: /^sluice\/stores\/([a-z-]+)$/, replacement: source("drop-in/$1.ts") },
      {
        find: /^sluice\/(express|fastify|fetch|hono|koa|nest|node|trpc)$/,
        replacement: source("adapters/$1/$1.ts"),
      },
      { find: /^sluice\/redis$/, replacement: source("store/redis/index.ts") },
      { find: /^sluice\/testing$/, replacement: source("testing/index.ts") },
      { find: /^sluice$/, replacement: source("index.ts") },
    ],
  },
  test: {
    include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts"],
    globalSetup: [
      "packages/sluice/test/build-when-stale.ts",
      "packages/sluice-server/test/build-when-stale.ts",
      "packages/sluice/test/shared-servers.ts",
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
