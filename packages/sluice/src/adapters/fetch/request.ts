/** A request of the Fetch standard as the gate sees it. */
import type { HttpRequest } from "../../http/request.js";

export interface FetchRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  readonly signal?: AbortSignalLike | null | undefined;
}

interface AbortSignalLike {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void, options: { readonly once: true }): void;
}

/** What the standard does not know. Asked for only where somebody counts by it. */
export interface Beside {
  address(): string | undefined;
  route?(): string | undefined;
}

export function fetchRequest(request: FetchRequest, beside: Beside): HttpRequest {
  return {
    method: request.method,
    get path() {
      return pathOf(request.url);
    },
    get route() {
      return beside.route?.();
    },
    get address() {
      return beside.address();
    },
    header: (name) => request.headers.get(name) ?? undefined,
  };
}

/** Of a whole URL. */
function pathOf(url: string): string {
  const authority = url.indexOf("://") + 3;
  const start = url.indexOf("/", authority);
  const end = url.slice(authority).search(/[?#]/);
  const stop = end < 0 ? url.length : authority + end;
  return start < 0 || start > stop ? "/" : url.slice(start, stop);
}
