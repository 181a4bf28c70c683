import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256, sha256InScript } from "./sha256.js";

test.each([
  ["native", sha256],
  ["in script", sha256InScript],
])("%s, it is SHA-256 of the code units, at every length around a block and for any string", (_, hash) => {
  const reference = (text: string) => createHash("sha256").update(Buffer.from(text, "utf16le")).digest("hex");
  for (let length = 0; length <= 130; length += 1)
    expect(hash("x".repeat(length))).toBe(reference("x".repeat(length)));
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => hash(text) === reference(text)),
  );
  expect(hash("\ud800")).toBe(reference("\ud800"));
  expect(hash("ä".repeat(1_000_000))).toBe(reference("ä".repeat(1_000_000)));
});
