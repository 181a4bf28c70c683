/** The command `sluice`. */
import { runCli } from "./program.js";
import { terminalOn } from "./terminal.js";

/** Whoever reads our output may have seen enough, as `head` does. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

const terminal = terminalOn(process.stdout, process.stderr, process.env);
process.exitCode = await runCli(process.argv.slice(2), terminal);
