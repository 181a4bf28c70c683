/** The figures in the documents are those of the committed benchmark's results. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FIGURES, readResults, withFigures } from "../../../bench/document.mjs";

test.each(FIGURES)("$file shows them (else: node bench/document.mjs)", (figure) => {
  const document = readFileSync(new URL(`../../../${figure.file}`, import.meta.url), "utf8");
  const numbers = (text: string) => text.match(/\d[\d,.]*/g);
  expect(numbers(document)).toEqual(numbers(withFigures(document, figure, readResults())));
});
