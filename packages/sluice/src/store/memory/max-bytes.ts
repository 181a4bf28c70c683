/** How much memory a store may take when nobody says: a part of the heap there is. */

/** Of the heap: the rest is for the program, and for what is gone and not collected yet. */
const SHARE = 1 / 4;
/** Where the runtime does not tell how large its heap may become, as at the edge, where 128 MB are usual. */
const UNKNOWN_HEAP = 256 * 1024 * 1024;

/** What of Node is asked, where there is Node; other runtimes have it too, or a part of it. */
interface Host {
  readonly process?: { getBuiltinModule?(name: string): HeapModule | undefined };
}

interface HeapModule {
  getHeapStatistics?(): { readonly heap_size_limit?: unknown };
}

export function defaultMaxBytes(): number {
  return Math.floor(SHARE * (heapLimit() ?? UNKNOWN_HEAP));
}

function heapLimit(): number | undefined {
  try {
    const v8 = (globalThis as Host).process?.getBuiltinModule?.("node:v8");
    const limit = v8?.getHeapStatistics?.().heap_size_limit;
    return typeof limit === "number" && limit > 0 && Number.isFinite(limit) ? limit : undefined;
  } catch {
    return undefined;
  }
}
