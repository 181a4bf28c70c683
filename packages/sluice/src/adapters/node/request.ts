/** A request of Node's http, https or http2 as the gate sees it. */
import type { HttpRequest } from "../../http/request.js";

export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  readonly socket?: { readonly remoteAddress?: string | undefined } | null | undefined;
}

/** What a framework knows better: the URL as the client sent it, where it has been cut short, and the route. */
export interface FrameworkRequest {
  readonly originalUrl?: string | undefined;
  /** Fastify's, which makes them anew at each reading. */
  readonly routeOptions?: { readonly url?: string | undefined };
}

export function nodeRequest(request: NodeRequest, framework?: FrameworkRequest, route?: string): HttpRequest {
  return new NodeView(request, framework, route);
}

/** A class, so that what nobody asks for is not made; the address is, since later the socket may be gone. */
class NodeView implements HttpRequest {
  readonly address: string | undefined;

  constructor(
    private readonly request: NodeRequest,
    private readonly framework: FrameworkRequest | undefined,
    private readonly pattern: string | undefined,
  ) {
    this.address = request.socket?.remoteAddress;
  }

  /** Bound to its request, for readers that take it by itself. */
  get header(): (name: string) => string | undefined {
    return (name) => textOf(this.request.headers[name]);
  }

  get route(): string | undefined {
    return this.pattern ?? this.framework?.routeOptions?.url;
  }

  get method(): string {
    return this.request.method ?? "GET";
  }

  get path(): string {
    return pathOf(this.framework?.originalUrl ?? this.request.url ?? "/");
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
