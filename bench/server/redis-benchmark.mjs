/** Load by redis-benchmark, with the flags that are the same for everybody. */
import { spawn } from "node:child_process";

/** Resolves with requests per second. */
export async function redisBenchmark(port, args) {
  const child = spawn("redis-benchmark", ["-p", port, "-P", "32", "--csv", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) text += chunk;
  const [, perSecond] = text.trim().split("\n").at(-1).split('","');
  if (!(Number(perSecond) > 0)) throw new Error(`redis-benchmark said: ${text}`);
  return Number(perSecond);
}
