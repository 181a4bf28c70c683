/** The way through a gate for a response that a framework holds open: headers are set on it, or it is answered. */
import type { Gate, Passage } from "./gate.js";
import { mergeHeaders } from "./merge-headers.js";
import type { HttpRequest } from "./request.js";
import { type EndingResponse, whenEnded } from "./response-end.js";
import { rethrow } from "./thrown.js";

/** What a framework's response can do. */
export interface ResponseKind<Response> {
  /** Whether its headers have left, so that nothing can be added. */
  isSent(response: Response): boolean;
  header(response: Response, name: string): unknown;
  setHeader(response: Response, name: string, value: string): void;
  send(response: Response, status: number, body: string): void;
  ending(response: Response): EndingResponse;
}

/** Whether the request may go on; if not, it has been answered. Rejects with what the store or a function of the gate threw. */
export type Admit<Native, Response> = (
  native: Native,
  request: HttpRequest,
  response: Response,
) => Promise<boolean>;

export function admission<Native, Response>(
  gate: Gate<Native, Response>,
  kind: ResponseKind<Response>,
): Admit<Native, Response> {
  return async (native, request, response) => {
    let passage: Passage<Response>;
    try {
      passage = await gate.enter(native, request);
    } catch (thrown) {
      rethrow(thrown);
    }
    const { pass } = passage;
    if (!kind.isSent(response)) {
      const fields = mergeHeaders(pass ? passage.headers : passage.refusal.headers, (name) =>
        kind.header(response, name),
      );
      for (const name in fields) kind.setHeader(response, name, fields[name]!);
      if (!pass) kind.send(response, passage.refusal.status, passage.refusal.body);
    }
    if (pass && passage.settle !== undefined) {
      const { settle } = passage;
      const ending = kind.ending(response);
      whenEnded(ending, (aborted) => settle({ status: ending.statusCode, aborted, native: response }));
    }
    return pass;
  };
}
