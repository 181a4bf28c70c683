/** A memory store with its defaults lives within a small heap, whatever is asked of it. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const FLOOD = fileURLToPath(new URL("./flood.mjs", import.meta.url));

test.each([
  ["1,000,000 short keys", 1_000_000, 0],
  ["600,000 long keys", 600_000, 190],
])("a heap of 256 MB survives %s", async (_, keys, length) => {
  const args = ["--max-old-space-size=256", FLOOD, String(keys), String(length)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(JSON.parse(stdout)).toEqual({ attackerIsRefused: true });
});
