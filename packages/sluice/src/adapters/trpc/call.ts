/** A call of tRPC as the gate sees it, with what is known of the HTTP request behind it. */

import type { HeaderFields } from "../../http/headers/headers.js";
import { mergeHeaders } from "../../http/headers/merge-headers.js";
import type { HttpRequest } from "../../http/request.js";
import type { FetchRequest } from "../fetch/request.js";
import type { FetchResponse } from "../fetch/response.js";
import { type NodeRequest, nodeRequest } from "../node/request.js";
import type { NodeResponse } from "../node/response.js";

export interface TrpcCall<Context = unknown, Input = unknown> {
  readonly ctx: Context;
  readonly input: Input;
  readonly path: string;
  readonly type: string;
  readonly signal?: { readonly aborted: boolean } | undefined;
}

/** As tRPC's adapters hand it to `createContext`. */
export interface TrpcHttp {
  readonly req?: NodeRequest | FetchRequest | undefined;
  /** For the headers, of the adapters for Node. */
  readonly res?: NodeResponse | undefined;
  /** For the headers, of the adapter for fetch. */
  readonly resHeaders?: FetchResponse["headers"] | undefined;
}

export function trpcRequest(
  { path, type }: TrpcCall,
  { req }: TrpcHttp,
  addressOf: (socket: string | undefined) => string | undefined,
): HttpRequest {
  const view = req === undefined || isFetch(req) ? undefined : nodeRequest(req);
  return {
    method: req?.method ?? type,
    path,
    route: path,
    get address() {
      return addressOf(view?.address);
    },
    header: (name) => (view === undefined ? fetchHeader(req, name) : view.header(name)),
  };
}

/** The type is that of tRPC's own answer. The calls of a batch share a response, on which their headers are merged. */
export function setHeaders({ res, resHeaders }: TrpcHttp, added: HeaderFields): void {
  const { "Content-Type": _, ...fields } = added;
  if (res !== undefined && !res.headersSent) {
    const merged = mergeHeaders(fields, (name) => res.getHeader(name));
    for (const name in merged) res.setHeader(name, merged[name]!);
  }
  if (resHeaders !== undefined) {
    const merged = mergeHeaders(fields, (name) => resHeaders.get(name));
    for (const name in merged) resHeaders.set(name, merged[name]!);
  }
}

function isFetch(request: NodeRequest | FetchRequest): request is FetchRequest {
  return typeof request.headers["get" as never] === "function";
}

function fetchHeader(request: TrpcHttp["req"], name: string): string | undefined {
  return (request as FetchRequest | undefined)?.headers.get(name) ?? undefined;
}
