/** The committed pictures show what the library decides today. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PICTURES } from "../../../scripts/pictures/pictures.mjs";
import { ALGORITHM_NAMES } from "../src/algorithm/registry.js";

const FOLDER = new URL("../../../docs/pictures/", import.meta.url);

test.each(Object.entries(PICTURES))(
  "%s is up to date (else: node scripts/draw-pictures.mjs)",
  async (name, draw) => {
    const drawn = await draw();
    expect(drawn).not.toMatch(/NaN|undefined|Infinity/);
    expect(readFileSync(new URL(name, FOLDER), "utf8")).toBe(drawn);
  },
);

test("there is one picture for each algorithm, one for all of them, and no other", () => {
  const expected = ["algorithms", ...ALGORITHM_NAMES].map((name) => `${name}.svg`).sort();
  expect(Object.keys(PICTURES).sort()).toEqual(expected);
  expect(readdirSync(FOLDER).sort()).toEqual(expected);
});
