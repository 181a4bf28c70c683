/**
 * A flood of distinct keys on a memory store with nothing but its defaults; prints how many it holds in the end, and
 * whether somebody who was refused before it still is. Arguments: how many keys, and how long their names are at least.
 */
import { createSluice } from "sluice";

const [keys, length] = process.argv.slice(2).map(Number);
const limiter = createSluice().limit("user:5/h");
const filler = "x".repeat(length);

while ((await limiter.consume({ user: "attacker" })).allowed);
for (let key = 0; key < keys; key += 1) await limiter.consume({ user: `${key}-${filler}` });
const { allowed } = await limiter.consume({ user: "attacker" });
console.log(JSON.stringify({ attackerIsRefused: !allowed }));
