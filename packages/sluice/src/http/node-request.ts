/** A request of Node's http, https or http2 as the gate sees it. */
import type { HttpRequest } from "./request.js";

export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  readonly socket?: { readonly remoteAddress?: string | undefined } | null | undefined;
}

/** What a framework knows better than Node does. */
export interface Known {
  /** As the client sent it, where a framework has cut it short. */
  readonly url?: string | undefined;
  readonly route?: string | undefined;
}

const NOTHING: Known = {};

export function nodeRequest(request: NodeRequest, { url, route }: Known = NOTHING): HttpRequest {
  return {
    method: request.method ?? "GET",
    path: pathOf(url ?? request.url ?? "/"),
    route,
    address: request.socket?.remoteAddress,
    header: (name) => textOf(request.headers[name]),
  };
}

function pathOf(url: string): string {
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}

/** Node has joined the lines of a header already, but for those few of which it gives a list. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.join(", ") : undefined;
}
