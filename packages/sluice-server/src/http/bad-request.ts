/** What is wrong with a request, in words that help whoever sent it. */
import type { FastifyError } from "fastify";
import { LARGEST_BODY } from "./patience.js";
import { ProblemError } from "./problem.js";
import { shortened } from "./shortened.js";

const TOO_LARGE = `A body has at most ${LARGEST_BODY.toLocaleString("en")} bytes.`;
const NOT_JSON = "A body is JSON, and is sent with Content-Type: application/json.";

/** What a caller did wrong is told; what we did wrong is not. */
export function problemOf(error: FastifyError | ProblemError): ProblemError {
  if (error instanceof ProblemError) return error;
  const status = error.statusCode ?? 500;
  if (status === 413) return new ProblemError(status, TOO_LARGE);
  if (status === 415) return new ProblemError(status, NOT_JSON);
  if (status >= 400 && status < 500) return new ProblemError(status, shortened(error.message));
  return new ProblemError(500, "Something went wrong here; the server's log says what.");
}

interface SchemaMistake {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** `body/requests/3/cost must be >= 1` */
export function schemaMistake(mistakes: readonly SchemaMistake[], part: string): Error {
  const [first] = mistakes;
  if (first === undefined) return new Error(`${part} is not as it should be`);
  const { instancePath, keyword, params, message } = first;
  const where = shortened(`${part}${instancePath}`, 200);
  if (keyword === "additionalProperties")
    return new Error(`${where} has ${shownName(params["additionalProperty"])}, which nobody knows`);
  const among = keyword === "enum" ? `: ${[params["allowedValues"]].flat().join(", ")}` : "";
  return new Error(`${where} ${message}${among}`);
}

function shownName(name: unknown): string {
  return JSON.stringify(shortened(String(name), 60));
}
