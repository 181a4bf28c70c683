/** Errors as problem documents (RFC 9457). */

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  /** The stable code of an error of ours, which has a page of its own. */
  readonly code?: string;
}

export const PROBLEM_TYPE = "application/problem+json";

/** What goes wrong by the caller's doing or ours, thrown by a route. */
export class ProblemError extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    detail: string,
    readonly errorCode?: string,
  ) {
    super(detail);
  }

  toProblem(): Problem {
    const { status, title, message: detail, errorCode } = this;
    return {
      type: "about:blank",
      title,
      status,
      detail,
      ...(errorCode !== undefined && { code: errorCode }),
    };
  }
}
