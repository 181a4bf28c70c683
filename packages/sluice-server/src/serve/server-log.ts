/** The log of a server: a JSON object a line on standard error, whoever in the process has something to say. */
import { format } from "node:util";
import { type Logger, pino } from "pino";

const STANDARD_ERROR = 2;
/** So much is kept, in characters, while it cannot be written. */
const MOST_UNWRITTEN = 1_000_000;

export function openLog(level: string): Logger {
  const destination = pino.destination({ dest: STANDARD_ERROR, sync: true, maxLength: MOST_UNWRITTEN });
  // A disk that is full or a terminal that is gone must not end the server.
  destination.on("error", () => {});
  return pino({ level, base: null, serializers: { err: shownError } }, destination);
}

/** Without what libraries hang on their errors: ioredis the command, and that of a login holds the password. */
function shownError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  return { type: name, message, stack, ...(cause !== undefined && { cause: shownError(cause) }) };
}

/** What libraries and Node itself would print goes to the log, and so do the last words of a server that fails. */
export function logEverything(log: Logger, end: () => never): void {
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => log.warn({ name }, message));
  console.warn = console.error = (...said: unknown[]) => log.warn(format(...said));
  process.on("uncaughtException", (err, origin) => {
    log.fatal({ err, origin }, "a fault of Sluice's own ends the server");
    end();
  });
}
