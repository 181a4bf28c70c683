/** Runs the script on the node that holds its keys. */
import type { RedisClient, ScriptCommand } from "./client.js";
import type { Message } from "./message.js";
import { SCRIPT, SCRIPT_SHA } from "./script.generated.js";

export function runScript(
  client: RedisClient,
  command: ScriptCommand,
  { keys, args }: Message,
): Promise<unknown> {
  const script = command === "EVAL" ? SCRIPT : SCRIPT_SHA;
  return client.send(keys[0]!, command, [script, String(keys.length), ...keys, ...args]);
}

/** What a node answers to EVALSHA that does not know the script. It has run nothing of it. */
export function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && /NOSCRIPT|NoScriptError/.test(error.message);
}
