/** A response of the Fetch standard, as a gate makes it and adds to it. */

import type { Refusal } from "../../http/gate/refusal.js";
import type { HeaderFields } from "../../http/headers/headers.js";
import { type AddedFrom, mergeHeaders } from "../../http/headers/merge-headers.js";

export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null; set(name: string, value: string): void };
  readonly body?: unknown;
}

interface ResponseConstructor {
  new (
    body: unknown,
    like: {
      readonly status: number;
      readonly headers: HeaderFields | FetchResponse["headers"];
      readonly statusText?: string;
    },
  ): FetchResponse;
}

/** With this body. */
export function copyOf<Response extends FetchResponse>(response: Response, body: unknown): Response {
  return new (constructorOf())(body, response) as Response;
}

export function responseOf<Response extends FetchResponse>(refusal: Refusal, method: string): Response {
  const { status, headers, body } = refusal;
  return new (constructorOf())(method === "HEAD" ? null : body, { status, headers }) as Response;
}

export function emptyResponse<Response extends FetchResponse>(status: number): Response {
  return new (constructorOf())(null, { status, headers: {} }) as Response;
}

/** The one to return: those of `fetch` and of a redirection cannot be changed, so that a copy is. */
export function withHeaders<Response extends FetchResponse>(
  response: Response,
  added: HeaderFields,
  from?: AddedFrom,
): Response {
  const fields = mergeHeaders(added, (name) => response.headers.get(name), from);
  try {
    return setOn(response, fields);
  } catch {
    return isCopyable(response) ? setOn(copyOf(response, response.body), fields) : response;
  }
}

/** Looked up at each use: servers put a faster one in its place. */
function constructorOf(): ResponseConstructor {
  return (globalThis as unknown as { readonly Response: ResponseConstructor }).Response;
}

function setOn<Response extends FetchResponse>(response: Response, fields: HeaderFields): Response {
  for (const name in fields) response.headers.set(name, fields[name]!);
  return response;
}

/** That of an upgrade to a WebSocket is not. */
function isCopyable({ status }: FetchResponse): boolean {
  return status >= 200 && status <= 599;
}
