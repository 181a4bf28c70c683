/** Keeps the report of a full run in results/; a partial one is for the eyes only. */
import { mkdirSync, writeFileSync } from "node:fs";

export function saveIfWhole(name, report, { quick, only }) {
  if (quick || only !== undefined) {
    console.log("\nNot saved: only a full run is.");
    return;
  }
  const file = new URL(`results/${name}.json`, import.meta.url);
  mkdirSync(new URL(".", file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`);
  console.log(`\nSaved as ${file.pathname}`);
}
