/** Moves one hash slot from one Cluster node to another, in steps that a test may stop between. */
import type { RedisServer } from "./redis-server.js";

const BATCH = 100;

/** From here on `from` answers ASK for keys that it does not hold, and TRYAGAIN to a command that has both kinds. */
export async function beginMigration(slot: number, from: RedisServer, to: RedisServer): Promise<void> {
  await to.command("CLUSTER", "SETSLOT", `${slot}`, "IMPORTING", await idOf(from));
  await from.command("CLUSTER", "SETSLOT", `${slot}`, "MIGRATING", await idOf(to));
}

export async function moveKeys(slot: number, from: RedisServer, to: RedisServer): Promise<void> {
  for (;;) {
    const keys = (await from.command("CLUSTER", "GETKEYSINSLOT", `${slot}`, `${BATCH}`)) as string[];
    if (keys.length === 0) return;
    await from.command("MIGRATE", to.host, `${to.port}`, "", "0", "5000", "KEYS", ...keys);
  }
}

/** The new owner is told first, so that at no time nobody owns the slot. */
export async function endMigration(
  slot: number,
  to: RedisServer,
  nodes: readonly RedisServer[],
): Promise<void> {
  const id = await idOf(to);
  for (const node of [to, ...nodes.filter((node) => node !== to)]) {
    const [role] = (await node.command("ROLE")) as unknown[];
    if (role === "master") await node.command("CLUSTER", "SETSLOT", `${slot}`, "NODE", id);
  }
}

export async function idOf(node: RedisServer): Promise<string> {
  return String(await node.command("CLUSTER", "MYID"));
}
