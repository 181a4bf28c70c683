import { expect, test } from "vitest";
import { isToken } from "./tokens.js";

test.each([
  ["secret", ["secret"], true],
  ["second", ["first", "second", "third"], true],
  ["secret", [], false],
  ["", ["secret"], false],
  ["secre", ["secret"], false],
  ["secrets", ["secret"], false],
  ["Secret", ["secret"], false],
])("%j among %j: %s", (given, tokens, known) => expect(isToken(given, tokens)).toBe(known));
