/** Finds a port of the loopback that is free together with the bus port that Cluster puts 10,000 above it. */
import { once } from "node:events";
import { createServer } from "node:net";

export const HOST = "127.0.0.1";

/**
 * Both ports stay below 32,768, where systems begin to hand out ports by themselves: there, while a server is
 * down, a client that reconnects could be given the port as its own and be connected to itself.
 */
const LOWEST = 10_500;
const HIGHEST = 22_500;
const BUS_OFFSET = 10_000;

/** Free when it was looked at; another process may take it before the caller does. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if ((await isFree(port)) && (await isFree(port + BUS_OFFSET))) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const listener = createServer().listen(port, HOST);
  try {
    await once(listener, "listening");
    return true;
  } catch {
    return false;
  } finally {
    listener.close();
  }
}
