/** The way through a gate for a response that a framework holds open: headers are set on it, or it is answered. */

import type { Gate, Passage } from "../../http/gate/gate.js";
import type { HeaderFields } from "../../http/headers/headers.js";
import { mergeHeaders } from "../../http/headers/merge-headers.js";
import type { HttpRequest } from "../../http/request.js";
import type { Answer } from "../../store/store.js";
import { type EndingResponse, whenEnded } from "./response-end.js";
import { asError } from "./thrown.js";

/** What a framework's response can do. */
export interface ResponseKind<Response> {
  /** Whether its headers have left, so that nothing can be added. */
  isSent(response: Response): boolean;
  header(response: Response, name: string): unknown;
  setHeader(response: Response, name: string, value: string): void;
  send(response: Response, status: number, body: string): void;
  ending(response: Response): EndingResponse;
}

/** Called where the request may go on, and with what the store or a function of the gate threw. */
export type Next = (error?: unknown) => void;

/** For frameworks that hand on by a call. Where the request is refused, it is answered, and nobody called. */
export function admission<Native, Response>(gate: Gate<Native, Response>, kind: ResponseKind<Response>) {
  return (native: Native, request: HttpRequest, response: Response, next: Next): void => {
    let admitted: Answer<boolean>;
    try {
      admitted = admit(gate, kind, native, request, response);
    } catch (thrown) {
      next(asError(thrown));
      return;
    }
    if (admitted === true) next();
    else if (admitted !== false) {
      admitted.then(
        (late) => {
          if (late) next();
        },
        (thrown) => next(asError(thrown)),
      );
    }
  };
}

/** For frameworks that wait: whether the request may go on; if not, it has been answered. */
export function awaitedAdmission<Native, Response>(
  gate: Gate<Native, Response>,
  kind: ResponseKind<Response>,
) {
  return async (native: Native, request: HttpRequest, response: Response): Promise<boolean> => {
    try {
      return await admit(gate, kind, native, request, response);
    } catch (thrown) {
      throw asError(thrown);
    }
  };
}

function admit<Native, Response>(
  gate: Gate<Native, Response>,
  kind: ResponseKind<Response>,
  native: Native,
  request: HttpRequest,
  response: Response,
): Answer<boolean> {
  const passage = gate.enter(native, request);
  return passage instanceof Promise
    ? passage.then((late) => carriedOut(late, response, kind))
    : carriedOut(passage, response, kind);
}

/** Whether it is a way through. What somebody else has answered meanwhile stays as it is. */
function carriedOut<Response>(
  passage: Passage<Response>,
  response: Response,
  kind: ResponseKind<Response>,
): boolean {
  const { pass } = passage;
  if (!kind.isSent(response)) {
    const added = pass ? passage.headers : passage.refusal.headers;
    const fields = isFirst(added, response, kind)
      ? added
      : mergeHeaders(added, (name) => kind.header(response, name));
    for (const name in fields) kind.setHeader(response, name, fields[name]!);
    if (!pass) kind.send(response, passage.refusal.status, passage.refusal.body);
  }
  if (pass && passage.settle !== undefined) {
    const { settle } = passage;
    const ending = kind.ending(response);
    whenEnded(ending, (aborted) => settle({ status: ending.statusCode, aborted, native: response }));
  }
  return pass;
}

/**
 * The usual response has been through no other gate, and there is nothing to merge: whatever the form, a gate writes
 * one of these.
 */
function isFirst<Response>(
  added: HeaderFields,
  response: Response,
  { header }: ResponseKind<Response>,
): boolean {
  const isNew = (value: string | undefined, name: string) =>
    value === undefined || header(response, name) === undefined;
  return (
    isNew(added["RateLimit-Policy"], "RateLimit-Policy") &&
    isNew(added["X-RateLimit-Limit"], "X-RateLimit-Limit")
  );
}
