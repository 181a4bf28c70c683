/** What is answered where there is no framework to handle an error: 500, and somebody is told. */
import { shown } from "../../errors.js";
import { type OnWarning, warnOnce } from "../../http/warnings.js";
import type { ResponseKind } from "./admission.js";

export interface FailureOptions {
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly onWarning?: OnWarning | undefined;
}

const BODY = JSON.stringify({ type: "about:blank", title: "Internal Server Error", status: 500 });

export function failureAnswer<Response>(kind: ResponseKind<Response>, options: FailureOptions = {}) {
  const warn = warnOnce(options.onWarning);
  const { onError = (error: unknown) => warn("failure", failed(error)) } = options;
  return (response: Response, error: unknown): void => {
    if (!kind.isSent(response)) {
      kind.setHeader(response, "Content-Type", "application/problem+json");
      kind.setHeader(response, "Cache-Control", "no-store");
      kind.send(response, 500, BODY);
    }
    try {
      onError(error);
    } catch {
      /** The request is answered; that its observer is broken must not end the process. */
    }
  };
}

function failed(error: unknown): string {
  const reason = error instanceof Error ? error.message : shown(error);
  return `A request was answered with 500: ${reason} Give onError to hear of every such error.`;
}
