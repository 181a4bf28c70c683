/** A response whose refusals are thrown, for a framework that makes its answers of exceptions. */
import type { ResponseKind } from "../node/admission.js";

/** What becomes of the status and the body of a refusal. */
export type ExceptionOf = (status: number, body: string) => unknown;

/** The headers are set as usual, but for the type of the body, which is for the framework to say. */
export function throwingRefusals<Response>(
  kind: ResponseKind<Response>,
  exceptionOf: ExceptionOf | undefined,
): ResponseKind<Response> {
  if (exceptionOf === undefined) return kind;
  return {
    ...kind,
    setHeader(response, name, value) {
      if (name !== "Content-Type") kind.setHeader(response, name, value);
    },
    send(_, status, body) {
      throw exceptionOf(status, body);
    },
  };
}
