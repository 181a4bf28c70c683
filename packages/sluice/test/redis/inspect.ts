/** What a test looks up in a server itself: keys, and how often a command was called. */
import type { Address } from "../redis-servers/clients.js";
import { rawCommand } from "../redis-servers/raw-command.js";

export function ask({ port }: Address, ...command: readonly string[]): Promise<unknown> {
  return rawCommand(port, [command]);
}

/** The keys of a namespace on all of these servers, each with the server it is on. */
export async function keysOf(
  servers: readonly Address[],
  namespace: string,
): Promise<readonly { readonly key: string; readonly server: Address }[]> {
  const found = await Promise.all(
    servers.map(async (server) => {
      const keys = (await ask(server, "KEYS", `${namespace}:*`)) as string[];
      return keys.map((key) => ({ key, server }));
    }),
  );
  return found.flat();
}

export type CommandCalls = Readonly<Record<string, number>>;

/** By command, how many calls there were since the last `forgetCalls`, also from within scripts. */
export async function callsOn(server: Address): Promise<CommandCalls> {
  const text = String(await ask(server, "INFO", "commandstats"));
  const calls = [...text.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)];
  return Object.fromEntries(calls.map(([, command, count]) => [command!, Number(count)]));
}

export async function forgetCalls(server: Address): Promise<void> {
  await ask(server, "CONFIG", "RESETSTAT");
}
