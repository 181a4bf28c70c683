/** Imports the modules it is given, one after the other, and tells what each printed and how it ended. */
import { pathToFileURL } from "node:url";
import { format } from "node:util";

const LONGEST_MS = 5_000;

async function play(path) {
  const lines = [];
  console.log = (...values) => lines.push(format(...values));
  let timer;
  const tooLong = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Not finished after ${LONGEST_MS} ms.`)), LONGEST_MS);
  });
  try {
    await Promise.race([import(pathToFileURL(path).href), tooLong]);
    return { printed: lines.join("\n") };
  } catch (error) {
    const { code, message = String(error), stack = message } = error ?? {};
    return { printed: lines.join("\n"), error: { code, message, stack } };
  } finally {
    clearTimeout(timer);
  }
}

const outcomes = [];
for (const path of process.argv.slice(2)) outcomes.push(await play(path));
process.stdout.write(JSON.stringify(outcomes), () => process.exit());
