/** Joins the Lua halves into the one script that runs in Redis, and computes its SHA-1. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * Each part is made when first used, as a branch of one function, since Redis runs the whole script at every call
 * and every function it makes costs time.
 */
export function bundleScript(src) {
  const read = (file) => readFileSync(join(src, file), "utf8");
  const parts = readdirSync(join(src, "algorithm"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".lua"))
    .sort()
    .map((file) => join("algorithm", file))
    .concat("store/redis/lua/stored-ring.lua");
  const branches = parts.map((part) => `if name == "${basename(part, ".lua")}" then\n${read(part)}end\n`);
  const source = [
    read("store/redis/lua/prelude.lua"),
    "local use\nlocal function make(name)\n",
    ...branches,
    "end\n",
    "local made = {}\nfunction use(name)\n",
    "  local part = made[name]\n  if part then return part end\n",
    "  part = make(name)\n  made[name] = part\n  return part\nend\n",
    read("store/redis/lua/evaluate.lua"),
  ].join("");
  return { source, sha: createHash("sha1").update(source).digest("hex") };
}
