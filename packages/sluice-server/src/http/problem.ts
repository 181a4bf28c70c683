/** Errors as problem documents (RFC 9457). */
import { STATUS_CODES } from "node:http";

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The stable code of an error of ours, which has a page of its own. */
  readonly code?: string;
}

export const PROBLEM_TYPE = "application/problem+json";

/** What a problem of no type of its own has for its title is what HTTP calls its status. */
const NO_TYPE = "about:blank";

interface ProblemOptions {
  readonly code?: string;
  /** Besides those that every problem has. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What goes wrong by the caller's doing or ours, thrown by a route. */
export class ProblemError extends Error {
  constructor(
    readonly status: number,
    detail: string,
    private readonly options: ProblemOptions = {},
  ) {
    super(detail);
  }

  get headers(): Readonly<Record<string, string>> {
    return this.options.headers ?? {};
  }

  toProblem(): Problem {
    const { status, message: detail } = this;
    const { code } = this.options;
    const title = STATUS_CODES[status] ?? "Error";
    return { type: NO_TYPE, title, status, detail, ...(code !== undefined && { code }) };
  }
}
