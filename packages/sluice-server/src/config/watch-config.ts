/** Follows a configuration file: each new version is read, and a bad one leaves the last good one in force. */
import { stat } from "node:fs/promises";
import type { Config } from "./config.js";
import { type ConfigMistakes, isMistaken } from "./mistake.js";
import { readConfigFile } from "./read-config-file.js";

export interface ConfigListener {
  changed(config: Config): void;
  /** The file cannot be used; what it said before stays in force. */
  mistaken(mistakes: ConfigMistakes): void;
}

export interface WatchOptions {
  /** Looks again and again until the function it gives is called; every half second when left out. */
  readonly every?: (look: () => Promise<void>) => () => void;
}

export interface ConfigWatch {
  /** Reads the file now, changed or not, as SIGHUP does. */
  reload(): Promise<void>;
  close(): void;
}

const PAUSE_MS = 500;

function everyHalfSecond(look: () => Promise<void>): () => void {
  const timer = setInterval(look, PAUSE_MS).unref();
  return () => clearInterval(timer);
}

/**
 * Reads the file before it resolves, and tells of it; then again whenever it changes.
 *
 * It looks at the file's state instead of waiting for the system to tell: that works for editors that put a new file in
 * the old one's place, for links that are turned, and on network drives. A file is read once it was the same at two
 * looks, so that one that is just being written is left alone.
 */
export async function watchConfig(
  file: string,
  listener: ConfigListener,
  { every = everyHalfSecond }: WatchOptions = {},
): Promise<ConfigWatch> {
  let closed = false;
  let read = await stateOf(file);
  let seen = read;
  let turn = Promise.resolve();

  async function load(): Promise<void> {
    const result = await readConfigFile(file);
    if (closed) return;
    if (isMistaken(result)) listener.mistaken(result);
    else listener.changed(result);
  }

  async function look(): Promise<void> {
    const state = await stateOf(file);
    const isNew = state !== read && state === seen;
    seen = state;
    if (!isNew) return;
    read = state;
    await load();
  }

  /** One after the other, so that an older version never comes last. */
  function inTurn(task: () => Promise<void>): Promise<void> {
    const done = turn.then(() => (closed ? undefined : task()));
    turn = done.catch(() => {});
    return done;
  }

  async function reload(): Promise<void> {
    await inTurn(async () => {
      read = await stateOf(file);
      await load();
    });
  }

  await load();
  const stop = every(() => inTurn(look));
  process.on("SIGHUP", reload);
  return {
    reload,
    close() {
      closed = true;
      stop();
      process.off("SIGHUP", reload);
    },
  };
}

/** Anything that differs after every change; "" while there is no file. */
async function stateOf(file: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
  } catch {
    return "";
  }
}
