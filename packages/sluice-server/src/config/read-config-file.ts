/** A configuration from a file: whatever is wrong with the file itself is a mistake too. */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "./config.js";
import type { ConfigMistakes } from "./mistake.js";
import { readConfig } from "./read-config.js";

/** Characters are bounded too; this keeps a wrong path from filling the memory first. */
const MOST_BYTES = 4_000_000;
const CHUNK_BYTES = 64 * 1024;
/** A pipe, such as `<(sops -d sluice.yaml)`, has to end by then. */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 10;
/** Otherwise to open or to read a pipe waits for who writes to it, and nothing can end that. Windows has none. */
const NO_WAIT = constants.O_NONBLOCK ?? 0;

export async function readConfigFile(
  file: string,
  patienceMs = PATIENCE_MS,
): Promise<Config | ConfigMistakes> {
  try {
    return readConfig(await textOf(file, patienceMs), file);
  } catch (error) {
    return { fileName: file, mistakes: [{ message: problemOf(error) }] };
  }
}

class Unreadable extends Error {}

async function textOf(file: string, patienceMs: number): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | NO_WAIT);
  try {
    const bytes = await bytesOf(handle, patienceMs);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } finally {
    await handle.close();
  }
}

/** Bounded in size and time: devices and pipes need not end, and do not say how much there is. */
async function bytesOf(handle: FileHandle, patienceMs: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  const deadline = performance.now() + patienceMs;
  for (let length = 0; ; ) {
    const chunk = await nextChunk(handle);
    if (chunk?.length === 0) return Buffer.concat(chunks);
    if (performance.now() > deadline)
      throw new Unreadable(`This file did not end within ${patienceMs / 1000} seconds.`);
    if (chunk === undefined) {
      await pause(PAUSE_MS);
      continue;
    }
    chunks.push(chunk);
    length += chunk.length;
    if (length > MOST_BYTES)
      throw new Unreadable("A configuration has at most 1 MB, and this file has more.");
  }
}

/** Empty at the end; undefined where nothing has come yet. */
async function nextChunk(handle: FileHandle): Promise<Buffer | undefined> {
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EAGAIN") return undefined;
    throw error;
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
