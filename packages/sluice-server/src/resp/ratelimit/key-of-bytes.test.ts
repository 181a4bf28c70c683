import { expect, test } from "vitest";
import { keyPart } from "../../../../sluice/src/plan/key.js";
import { bytesOf } from "../wire/bytes.js";
import { keyOfBytes } from "./key-of-bytes.js";

test.each(["plain-1_2.3@x", "key:42", "{tag}", "a b\r\n*?[", "%3A", "", "Zürich", "日本", "#x"])(
  "%j is written as the library writes it",
  (text) => expect(keyOfBytes(bytesOf(text))).toBe(keyPart(text)),
);

test("bytes that are no text stay different", () => {
  const bytes = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));
  const keys = bytes.flatMap((one) => bytes.map((other) => keyOfBytes(one + other)));
  expect(new Set(keys).size).toBe(256 * 256);
  expect(keys.every((key) => /^[A-Za-z0-9_.@%-]+$/.test(key))).toBe(true);
});

test("what would be long is a hash, and different hashes for different bytes", () => {
  expect(keyOfBytes(":".repeat(80))).toMatch(/^#[0-9a-f]{64}$/);
  expect(keyOfBytes("\xff".repeat(300))).not.toBe(keyOfBytes("\xfe".repeat(300)));
});
