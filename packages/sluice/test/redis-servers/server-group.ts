/** Servers that are started for one purpose and stopped together, also when that purpose fails half way. */
import { type RedisServer, startServer } from "./redis-server.js";

export interface ServerGroup {
  stop(): Promise<void>;
}

/** What `build` makes of the servers it starts, with a `stop` for all of them. */
export async function startGroup<T extends object>(
  build: (start: typeof startServer) => Promise<T>,
): Promise<T & ServerGroup> {
  const started: Promise<RedisServer>[] = [];
  async function stop(): Promise<void> {
    await Promise.all(started.map((server) => server.then((running) => running.stop()).catch(() => {})));
  }
  try {
    const built = await build((options) => {
      const server = startServer(options);
      started.push(server);
      return server;
    });
    return { ...built, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
