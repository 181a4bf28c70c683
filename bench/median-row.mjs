/** The rounds of one measurement as a row: the median of each figure, and what the rounds found. */
import { median } from "./median.mjs";

/** `decimals` names the figures, and says how many decimals of each mean something. */
export function medianRow(found, decimals) {
  const rounds = found.map((result) => figures(decimals, (figure) => result[figure]));
  return { ...figures(decimals, (figure) => median(found.map((result) => result[figure]))), rounds };
}

function figures(decimals, figureOf) {
  return Object.fromEntries(
    Object.entries(decimals).map(([figure, places]) => [figure, Number(figureOf(figure).toFixed(places))]),
  );
}
