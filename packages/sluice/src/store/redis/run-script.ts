/** Runs the script on the node that holds its keys. */
import type { RedisClient } from "./client.js";
import type { Message } from "./message.js";
import { SCRIPT, SCRIPT_SHA } from "./script.generated.js";

/** A node that does not know the script has run nothing of it, so that sending it whole counts nothing twice. */
export function runScript(
  client: RedisClient,
  { keys, args }: Message,
  isWanted: () => boolean,
): Promise<unknown> {
  const first = keys[0]!;
  const call = [SCRIPT_SHA, String(keys.length), ...keys, ...args];
  return client.send(first, "EVALSHA", call).catch((error: unknown) => {
    if (!isUnknownScript(error) || !isWanted()) throw error;
    return client.send(first, "EVAL", [SCRIPT, ...call.slice(1)]);
  });
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && /NOSCRIPT|NoScriptError/.test(error.message);
}
