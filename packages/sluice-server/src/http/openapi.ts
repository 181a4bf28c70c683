/** The OpenAPI document, made of the routes as they are registered, so that it cannot lag behind them. */
import type { FastifyInstance, RouteOptions } from "fastify";
import { PROBLEM_TYPE } from "./problem.js";
import { PROBLEM } from "./schemas.js";

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly schema: { readonly body?: unknown; readonly response?: Readonly<Record<string, unknown>> };
}

const HIDDEN = ["HEAD", "OPTIONS"];

/** Must be called before the routes are. */
export function describeRoutes(app: FastifyInstance, version: string): void {
  const operations: Operation[] = [];
  app.addHook("onRoute", ({ method, url, schema }: RouteOptions) => {
    for (const one of [method].flat()) {
      if (HIDDEN.includes(one)) continue;
      operations.push({
        method: one.toLowerCase(),
        path: url,
        schema: (schema ?? {}) as Operation["schema"],
      });
    }
  });
  app.get("/openapi.json", () => documentOf(operations, version));
}

function documentOf(operations: readonly Operation[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, path, schema } of operations) {
    const templated = path.replace(/:(\w+)/g, "{$1}");
    paths[templated] ??= {};
    paths[templated][method] = operationOf(templated, schema);
  }
  return {
    openapi: "3.1.0",
    info: { title: "Sluice", version, description: "Rate limit decisions for any language." },
    paths,
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
    security: [{ token: [] }, {}],
  };
}

function operationOf(path: string, { body, response = { 200: {} } }: Operation["schema"]): object {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  return {
    parameters: names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
    ...(body !== undefined && { requestBody: { content: { "application/json": { schema: body } } } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(response).map(([status, schema]) => [
          status,
          { description: "", ...(status !== "204" && { content: { "application/json": { schema } } }) },
        ]),
      ),
      default: { description: "A problem.", content: { [PROBLEM_TYPE]: { schema: PROBLEM } } },
    },
  };
}
