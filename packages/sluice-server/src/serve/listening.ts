/** Listens somewhere, or says in a sentence why that is not possible. */
import { UsageError } from "../usage-error.js";
import { type HostPort, hostPortText } from "./host-port.js";

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "is taken by another program",
  EACCES: "may not be used by this user",
  EADDRNOTAVAIL: "is no address of this machine",
  ENOTFOUND: "is not known by name",
  EAI_AGAIN: "is not known by name",
};

export async function listening<T>(
  option: string,
  where: HostPort,
  listen: (where: HostPort) => Promise<T>,
): Promise<T> {
  try {
    return await listen(where);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const reason = REASONS[code];
    if (reason === undefined) throw error;
    throw new UsageError(`${hostPortText(where)} ${reason}; choose another with ${option} HOST:PORT.`, {
      cause: error,
    });
  }
}
