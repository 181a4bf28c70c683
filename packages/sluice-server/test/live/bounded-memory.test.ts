/** What the page knows of identities weighs what its guide says, whatever callers send. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const FLOOD = fileURLToPath(new URL("./identity-flood.mjs", import.meta.url));
const LIMITS = 20;
const IDENTITIES = 300;
const DOCUMENTED_BYTES = 500_000;

test.each([
  ["60 kB", 30_000],
  ["the longest that are kept whole, cut from longer text", 291],
  ["short, cut from longer text", 40],
])("20 limits and values of two bytes a character, %s, in a heap of 64 MB", async (_, length) => {
  const heap = ["--max-old-space-size=64", "--expose-gc"];
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...heap,
    FLOOD,
    ...[LIMITS, IDENTITIES, length].map(String),
  ]);
  const { bytesPerLimit, first, refused, counts, errors } = JSON.parse(stdout) as Record<string, number[]> & {
    readonly bytesPerLimit: number;
  };
  expect(bytesPerLimit).toBeLessThan(DOCUMENTED_BYTES);
  const often = Array.from({ length: LIMITS }, (_, index) =>
    expect.stringMatching(`^often limit-${index}\\b`),
  );
  expect(first).toEqual(often);
  expect(refused).toEqual(often);
  counts!.forEach((count, index) => {
    expect(count).toBeGreaterThanOrEqual((2 * IDENTITIES) / 4);
    expect(count).toBeLessThanOrEqual((2 * IDENTITIES) / 4 + errors![index]!);
  });
});
