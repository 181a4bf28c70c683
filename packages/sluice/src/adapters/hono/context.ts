/** What a gate reads of a context of Hono, and does to it. */
import type { FetchRequest } from "../fetch/request.js";
import type { FetchResponse } from "../fetch/response.js";

export interface HonoContext {
  readonly req: {
    readonly raw: FetchRequest;
    readonly routeIndex: number;
    readonly matchedRoutes: readonly { readonly path: string }[];
  };
  readonly env: unknown;
  res: FetchResponse;
  newResponse(body: string, status: never): FetchResponse;
}

/** Where @hono/node-server has put it. */
export function nodeAddress({ env }: HonoContext): string | undefined {
  const { incoming } = (env ?? {}) as {
    readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } };
  };
  return incoming?.socket?.remoteAddress;
}

/** The pattern of the last that will handle the request: Hono knows all of them before it calls the first. */
export function routeBehind({ req }: HonoContext): string | undefined {
  const { matchedRoutes, routeIndex } = req;
  return matchedRoutes.length - 1 > routeIndex ? matchedRoutes.at(-1)?.path : undefined;
}

/** Hono would copy the headers of the response that is there onto the other, unless it is taken away before. */
export function replaceResponse(context: { res: FetchResponse | undefined }, response: FetchResponse): void {
  if (context.res === response) return;
  context.res = undefined;
  context.res = response;
}
