/** What the sources promise that the reference must cover: exported names and error codes. */
import { filesUnder, readText } from "./markdown.js";

const SOURCES = "packages/sluice/src";

/** The names that a module re-exports, types included. */
export function exportsOf(module: string): readonly string[] {
  const text = readText(`${SOURCES}/${module}`);
  if (/export\s+\*/.test(text)) throw new Error(`${module} must name what it exports.`);
  const lists = [...text.matchAll(/export\s+(?:type\s+)?\{([^}]*)\}/g)].map(([, list]) => list!);
  return lists
    .join(",")
    .split(",")
    .map((item) =>
      item
        .trim()
        .replace(/^type\s+/, "")
        .replace(/^.*\sas\s+/, ""),
    )
    .filter((name) => name !== "");
}

/** The names that a module declares for others, types included. */
export function declaredIn(module: string): readonly string[] {
  const pattern = /^export (?:async )?(?:function|class|interface|type|const) (\w+)/gm;
  return [...new Set([...readText(`${SOURCES}/${module}`).matchAll(pattern)].map(([, name]) => name!))];
}

export function errorCodes(): readonly string[] {
  const codes = filesUnder(SOURCES, ".ts")
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) => [...readText(file).matchAll(/\bcode = "(SLUICE_[A-Z_]+)"/g)].map(([, code]) => code!));
  return codes.sort();
}
