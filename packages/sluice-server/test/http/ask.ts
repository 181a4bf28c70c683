/** One request over a real socket, and its answer; what is no success must be a problem document. */
import { expect } from "vitest";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body read as JSON; undefined where there is none. */
  readonly json: unknown;
}

export interface Question {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is text already. */
  readonly body?: unknown;
}

/** `ask("POST /v1/batch", { body })` */
export type Ask = (what: string, question?: Question) => Promise<Answer>;

export function askAt(base: string): Ask {
  return async (what, { body, headers = {} } = {}) => {
    const [method = "", path = ""] = what.split(" ");
    const response = await fetch(base + path, {
      method,
      headers: { ...(body !== undefined && { "Content-Type": "application/json" }), ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("Content-Type")?.includes("json") ?? false;
    const json: unknown = isJson && text !== "" ? JSON.parse(text) : undefined;
    return { status: response.status, headers: response.headers, text, json };
  };
}

/** A refusal by a limit says what the library's gate says, which is its title, and no detail. */
export function expectRefusal(answer: Answer, expected: object): void {
  expectProblem(answer, { detail: undefined, "violated-policies": expect.any(Array), ...expected });
}

/** Holds whatever is no success against RFC 9457. */
export function expectProblem({ status, headers, json }: Answer, expected: object): void {
  expect(headers.get("Content-Type")).toBe("application/problem+json");
  const { code } = json as { readonly code?: unknown };
  expect(json).toEqual({
    ...(code !== undefined && { code: expect.stringMatching(/^SLUICE_[A-Z_]+$/) }),
    type: expect.stringMatching(
      /^(about:blank|https:\/\/iana\.org\/assignments\/http-problem-types#[a-z-]+)$/,
    ),
    title: expect.any(String),
    detail: expect.any(String),
    ...expected,
    status,
  });
  expect(headers.get("Cache-Control")).toBe("no-store");
}
