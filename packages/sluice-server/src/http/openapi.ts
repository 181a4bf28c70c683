/** The OpenAPI document, made of the routes as they are registered, so that it cannot lag behind them. */
import type { FastifyInstance } from "fastify";
import { COMPONENTS, type ComponentName, referenceTo } from "./components.js";
import { CHALLENGE, type Operation, problem, type ResponseText } from "./operation.js";
import type { Route } from "./route-list.js";

const DESCRIPTION =
  "Rate limit decisions for any language. A limit is configured on the server under a name; who asks gives the " +
  "facts that its rule counts by, and perhaps a cost. A refusal is a decision like any other, with the status 200: " +
  "only the gate for proxies says it by another. Mistakes and failures are problem documents (RFC 9457).";

const TAGS: readonly { readonly name: Operation["tag"]; readonly description: string }[] = [
  { name: "decisions", description: "Ask a limit." },
  { name: "limits", description: "See which there are." },
  { name: "server", description: "See how the server does." },
];

export function openApiRoute(app: FastifyInstance, routes: readonly Route[], version: string): void {
  const operation: Operation = {
    operationId: "getOpenApi",
    summary: "This document",
    tag: "server",
    responses: {
      200: { description: "OpenAPI 3.1.", content: { "application/json": { schema: { type: "object" } } } },
    },
  };
  let document: Buffer | undefined;
  app.get("/openapi.json", { config: { operation } }, (_, reply) => {
    document ??= Buffer.from(JSON.stringify(documentOf(routes, version)));
    return reply.type("application/json").send(document);
  });
}

function documentOf(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, path, operation, ...route } of routes) {
    // Every GET has a HEAD, which needs no words of its own.
    if (operation === undefined || method === "HEAD") continue;
    const template = path.replace(/:(\w+)/g, "{$1}");
    paths[template] ??= {};
    paths[template][method.toLowerCase()] = describe(template, operation, route);
  }
  return {
    openapi: "3.1.0",
    info: { title: "Sluice", version, description: DESCRIPTION, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: "/" }],
    tags: TAGS,
    paths,
    components: {
      schemas: COMPONENTS,
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: "Where the configuration has tokens, one of them.",
        },
      },
    },
    // Either a token, or nothing where none is configured.
    security: [{ token: [] }, {}],
  };
}

function describe(
  path: string,
  operation: Operation,
  { body, isOpen }: Pick<Route, "body" | "isOpen">,
): object {
  const { operationId, summary, description, tag, parameters = [], responses } = operation;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    parameters: [...names.map(nameParameter), ...parameters],
    ...(body !== undefined && { requestBody: requestBody(body) }),
    responses: {
      ...responses,
      ...(body !== undefined && BODY_PROBLEMS),
      ...(!isOpen && { 401: responses[401] ?? NO_TOKEN }),
      ...(names.length > 0 && { 404: NO_SUCH_LIMIT }),
      default: problem("Any other mistake or failure."),
    },
    ...(isOpen && { security: [] }),
  };
}

const BODY_PROBLEMS = {
  400: problem("The body is not as it should be, or a fact is missing."),
  413: problem("The body is too large."),
  415: problem("The body is not sent as application/json."),
};

const NO_TOKEN: ResponseText = {
  ...problem("Tokens are configured, and the request has none of them."),
  headers: CHALLENGE,
};

const NO_SUCH_LIMIT = problem("No limit of this name is configured.");

function nameParameter(name: string): object {
  return {
    name,
    in: "path",
    required: true,
    description: "The limit's name in the configuration.",
    schema: { type: "string" },
    example: "login",
  };
}

/** By reference where it has a name. None has to be sent where nothing has to be said. */
function requestBody(schema: unknown): object {
  const names = Object.keys(COMPONENTS) as ComponentName[];
  const name = names.find((known) => COMPONENTS[known] === schema);
  const required = typeof schema === "object" && schema !== null && "required" in schema;
  return {
    required,
    content: { "application/json": { schema: name === undefined ? schema : referenceTo(name) } },
  };
}
