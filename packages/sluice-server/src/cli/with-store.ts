/** The store that a command names, open while the command works and closed behind it. */
import type { OpenedStore } from "../store/open-store.js";
import { UsageError } from "../usage-error.js";
import { StoreAway } from "./exit-code.js";

/** Long enough for a store far away, and shorter than a user's patience. */
const DEADLINE_MS = 5_000;

export async function withStore<T>(
  url: string | undefined,
  use: (store: OpenedStore["store"], describe: string) => Promise<T>,
): Promise<T> {
  if (url === undefined) {
    throw new UsageError(
      "Name the store that holds the counters: --store redis://127.0.0.1:6379, or SLUICE_STORE in the environment.",
    );
  }
  // Loaded here, since other commands should not wait for it.
  const { openStore } = await import("../store/open-store.js");
  const opened = openStore(url, { deadlineMs: DEADLINE_MS, onFailure: "throw", reconnect: false });
  try {
    await opened.ready(DEADLINE_MS).catch((error: Error) => {
      throw new StoreAway(`${opened.describe} cannot be asked: ${error.message}`, { cause: error });
    });
    return await use(opened.store, opened.describe);
  } finally {
    await opened.close();
  }
}
