/** What the OpenAPI document says of the gate. */
import type { ComponentName } from "./components.js";
import { REFUSALS } from "./gate-query.js";
import { CHALLENGE, type Operation, problem, type ResponseText } from "./operation.js";

const text = (description: string, example: string) => ({ description, schema: { type: "string" }, example });

const HEADERS = {
  "RateLimit-Policy": text("Each limit: quota and window in seconds.", '"user:20/h";q=20;w=3600'),
  RateLimit: text("How each stands: what remains, and the seconds until more.", '"user:20/h";r=19;t=3600'),
};

const RETRY_AFTER = {
  description: "In how many seconds the request would be allowed; left out where it never would.",
  schema: { type: "string", pattern: "^[0-9]+$" },
  example: "12",
};

const REFUSAL_HEADERS = { ...HEADERS, "Retry-After": RETRY_AFTER };

const refused = (description: string, ...names: readonly ComponentName[]): ResponseText => ({
  ...problem(description, "Refusal", ...names),
  headers: REFUSAL_HEADERS,
});

export const GATE: Operation = {
  operationId: "gate",
  summary: "Let a request pass, or not",
  description:
    "For proxies that ask before they forward, such as nginx's auth_request and Caddy's forward_auth. Decides and " +
    "charges as consume does. The query holds the facts by their names, each of them once; cost and status are no " +
    "facts.",
  tag: "decisions",
  parameters: [
    {
      name: "facts",
      in: "query",
      description: "A value for each selector of the limit's rule, each as a parameter of its own.",
      style: "form",
      explode: true,
      schema: { type: "object", additionalProperties: { type: "string" } },
      example: { user: "ada", ip: "192.0.2.7" },
    },
    {
      name: "cost",
      in: "query",
      description: "How many units the request takes. Left out, it is the limit's own cost, or else 1.",
      schema: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    },
    {
      name: "status",
      in: "query",
      description:
        "The status of a refusal. nginx's auth_request knows only 401 and 403. Left out, it is 429, and 503 where " +
        "the store does not answer and the failure policy is to deny.",
      schema: { type: "integer", enum: REFUSALS },
    },
  ],
  responses: {
    204: { description: "Allowed.", headers: HEADERS },
    400: problem("A fact is missing or given twice, or the query cannot be read."),
    401: {
      ...refused(
        "Refused, where the query says status=401; or tokens are configured, and the request has none of them.",
        "Problem",
      ),
      headers: { ...REFUSAL_HEADERS, ...CHALLENGE },
    },
    403: refused("Refused, where the query says status=403."),
    429: refused("Refused."),
    503: refused(
      "Refused since the store does not answer, or where the query says status=503; or a problem, where the failure " +
        "policy is to throw.",
      "Problem",
    ),
  },
};
