/** Joins the Lua halves into the one script that runs in Redis, and computes its SHA-1. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const CONSTANTS = /^ *local ([A-Z_]+(?:, [A-Z_]+)*) = ([\d.e-]+(?:, [\d.e-]+)*)\n/gm;
const COMMENTS = /^ *--(?!@).*\n/gm;

/**
 * Each part is made when first used, as a branch of one function, since Redis runs the whole script at every call
 * and every function it makes costs time.
 */
export function bundleScript(src) {
  const read = (file) => readFileSync(join(src, file), "utf8");
  const prelude = read("store/redis/lua/prelude.lua");
  const shared = constantsOf(prelude);
  const readPart = (file) => withNumbers(read(file), shared);
  const parts = readdirSync(join(src, "algorithm"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".lua"))
    .sort()
    .map((file) => join("algorithm", file))
    .concat("store/redis/lua/stored-ring.lua");
  const branches = parts.map((part) => `if name == "${basename(part, ".lua")}" then\n${readPart(part)}end\n`);
  const algorithms = [
    "local use\nlocal function make(name)\n",
    ...branches,
    "end\n",
    "local made = {}\nfunction use(name)\n",
    "  local part = made[name]\n  if part then return part end\n",
    "  part = make(name)\n  made[name] = part\n  return part\nend\n",
  ].join("");
  const [first, rest] = readPart("store/redis/lua/evaluate.lua").split(/^--@.*\n/m);
  const source = first + algorithms + rest;
  return { source, sha: createHash("sha1").update(source).digest("hex") };
}

function constantsOf(lua) {
  const lists = [...lua.matchAll(CONSTANTS)].map(([, names, numbers]) => [
    names.split(", "),
    numbers.split(", "),
  ]);
  return new Map(lists.flatMap(([names, numbers]) => names.map((name, place) => [name, numbers[place]])));
}

/** With its constants, and those that all parts share, written as numbers: a local that functions use costs time. */
function withNumbers(lua, shared) {
  const numbers = new Map([...shared, ...constantsOf(lua)]);
  return lua
    .replace(CONSTANTS, "")
    .replace(COMMENTS, "")
    .replace(/\b[A-Z_]+\b/g, (name) => numbers.get(name) ?? name);
}
