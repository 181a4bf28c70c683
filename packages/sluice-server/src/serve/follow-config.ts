/** A server that follows its configuration: started with the first version of the file, and told of every other. */
import type { Config } from "../config/config.js";
import { type ConfigMistakes, isMistaken, mistakesText } from "../config/mistake.js";
import { type ConfigWatch, watchConfig } from "../config/watch-config.js";
import type { Log } from "../log.js";
import { UsageError } from "../usage-error.js";
import type { Server } from "./server.js";

export interface FollowOptions {
  start(config: Config): Promise<Server>;
  readonly log: Log;
  readonly watch?: typeof watchConfig;
}

export interface Following {
  readonly server: Server;
  readonly watch: ConfigWatch;
}

export async function followConfig(
  file: string,
  { start, log, watch: watchFile = watchConfig }: FollowOptions,
): Promise<Following> {
  const versions: (Config | ConfigMistakes)[] = [];
  let server: Server | undefined;
  function heard(version: Config | ConfigMistakes): void {
    if (server === undefined) versions.push(version);
    else take(server, version, log);
  }
  const watch = await watchFile(file, { changed: heard, mistaken: heard });
  try {
    const first = versions.shift()!;
    if (isMistaken(first)) throw new UsageError(mistakesText(first));
    server = await start(first);
    // What came while it was starting.
    for (const version of versions) take(server, version, log);
    return { server, watch };
  } catch (error) {
    watch.close();
    throw error;
  }
}

/** Whatever is wrong with it, the server goes on as it was. */
function take(server: Server, version: Config | ConfigMistakes, log: Log): void {
  try {
    if (isMistaken(version)) throw new UsageError(mistakesText(version));
    const { later, ...changes } = server.reconfigure(version);
    log.info(changes, "the configuration was read again");
    for (const setting of later)
      log.warn({ setting }, "this setting has changed and counts from the next start");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.error({ reason }, "the configuration is mistaken, and the last good one stays in force");
  }
}
