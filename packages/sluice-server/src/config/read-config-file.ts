/** A configuration from a file: whatever is wrong with the file itself is a mistake too. */
import { open } from "node:fs/promises";
import type { Config } from "./config.js";
import type { ConfigMistakes } from "./mistake.js";
import { readConfig } from "./read-config.js";

/** Characters are bounded too; this keeps a wrong path from filling the memory first. */
const MOST_BYTES = 4_000_000;

export async function readConfigFile(file: string): Promise<Config | ConfigMistakes> {
  try {
    return readConfig(await textOf(file), file);
  } catch (error) {
    return { fileName: file, mistakes: [{ message: problemOf(error) }] };
  }
}

class Unreadable extends Error {}

async function textOf(file: string): Promise<string> {
  const handle = await open(file, "r");
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) throw new Unreadable("This is a folder, and a configuration is a file.");
    if (stats.size > MOST_BYTES)
      throw new Unreadable("A configuration has at most 1 MB, and this file has more.");
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(await handle.readFile());
  } finally {
    await handle.close();
  }
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "There is no such file.",
  ENOTDIR: "There is no such file.",
  EACCES: "This file may not be read.",
  EISDIR: "This is a folder, and a configuration is a file.",
  ERR_ENCODING_INVALID_ENCODED_DATA: "This file is not text in UTF-8.",
};

function problemOf(error: unknown): string {
  if (error instanceof Unreadable) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return (
    PROBLEMS[code] ?? `This file cannot be read: ${error instanceof Error ? error.message : String(error)}`
  );
}
