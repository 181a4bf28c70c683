/** The source files of a package, and who imports whom. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

export interface SourceTree {
  /** Paths relative to the source folder, in order; tests included. */
  readonly files: readonly string[];
  readonly sources: readonly string[];
  textOf(file: string): string;
  /** Everything a file imports or re-exports, `import type` and `import("…")` included. */
  importsOf(file: string): readonly string[];
  /** Those within the package, as files. */
  localImportsOf(file: string): readonly string[];
  /** Which place of the order a file or folder has. */
  rankOf(file: string): number;
  /** Throws where files import each other in a circle; else says how many it has seen. */
  walkAll(): number;
}

/** A folder or file may import only from its own place of the order and those before it. */
export function sourceTree(src: string, order: readonly (readonly string[])[]): SourceTree {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .sort();
  const sources = files.filter((file) => !file.endsWith(".test.ts"));
  const textOf = (file: string) => readFileSync(join(src, file), "utf8");

  function importsOf(file: string): readonly string[] {
    const pattern = /(?:\bfrom\s*|\bimport\s*\(?\s*)"([^"\s]+)"/g;
    return [...withoutComments(textOf(file)).matchAll(pattern)].map((match) => match[1]!);
  }

  function localImportsOf(file: string): readonly string[] {
    return importsOf(file)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => relative(src, resolve(src, dirname(file), specifier.replace(/\.js$/, ".ts"))));
  }

  return {
    files,
    sources,
    textOf,
    importsOf,
    localImportsOf,
    rankOf(file) {
      const rank = order.findIndex((places) => places.includes(file.split("/")[0]!));
      if (rank < 0)
        throw new Error(`${file} has no place in the order of imports; add its folder to the order.`);
      return rank;
    },
    walkAll() {
      const done = new Set<string>();
      function walk(file: string, path: readonly string[]): void {
        if (path.includes(file))
          throw new Error(`A cycle: ${[...path.slice(path.indexOf(file)), file].join(" → ")}`);
        if (done.has(file)) return;
        for (const imported of localImportsOf(file)) walk(imported, [...path, file]);
        done.add(file);
      }
      for (const file of sources) walk(file, []);
      return done.size;
    },
  };
}

export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

/** The type `any`, where a type can stand. */
export const ANY = /(?:[:<|&,(]|\bas|=>|\breadonly|\bextends)\s*any\b(?!\s*[(.])/;

/** A comment with a sentence comes first. */
export const HEADING = /^(\/\/\/ <reference .*\n)?\/\*\*[\s*]+[A-Z`]/;

export const EMPTY_NAME = /(^|\/)(types|utils?|helpers?|common|misc|constants)\.ts$/;
