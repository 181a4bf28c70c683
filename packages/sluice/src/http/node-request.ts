/** A request of Node's http, https or http2 as the gate sees it. */
import type { HttpRequest } from "./request.js";

export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  readonly socket?: { readonly remoteAddress?: string | undefined } | null | undefined;
}

/** With what a framework knows better: the URL as the client sent it, where it has been cut short, and the route. */
export function nodeRequest(request: NodeRequest, url?: string, route?: string): HttpRequest {
  return new NodeView(request, url, route);
}

/** A class, so that what nobody asks for is not made; the address is, since later the socket may be gone. */
class NodeView implements HttpRequest {
  readonly address: string | undefined;
  /** Bound to its request, for readers that take it by itself. */
  readonly header = (name: string): string | undefined => textOf(this.request.headers[name]);

  constructor(
    private readonly request: NodeRequest,
    private readonly url: string | undefined,
    readonly route: string | undefined,
  ) {
    this.address = request.socket?.remoteAddress;
  }

  get method(): string {
    return this.request.method ?? "GET";
  }

  get path(): string {
    return pathOf(this.url ?? this.request.url ?? "/");
  }
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
