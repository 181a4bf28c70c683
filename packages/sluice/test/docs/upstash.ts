/** A Redis that is reached as those of Upstash are, for the docs' code that speaks to one. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const ENDPOINT = fileURLToPath(new URL("upstash-rest.mjs", import.meta.url));
const TOKEN = "docs";

export interface UpstashEndpoint {
  /** As Upstash has its users set it. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export async function startUpstashEndpoint(redisPort: number): Promise<UpstashEndpoint> {
  const child = fork(ENDPOINT, [`${redisPort}`, TOKEN], { execArgv: [] });
  const ended = once(child, "exit");
  const [port] = await Promise.race([
    once(child, "message"),
    ended.then(([code]) => {
      throw new Error(`The endpoint that speaks as Upstash does ended early, with ${code}.`);
    }),
  ]);
  return {
    env: { UPSTASH_REDIS_REST_URL: `http://127.0.0.1:${port}`, UPSTASH_REDIS_REST_TOKEN: TOKEN },
    stop: async () => {
      child.disconnect();
      await ended;
    },
  };
}
