/** The routes as they were registered: what the OpenAPI document is made of, and which methods a path has. */
import type { FastifyInstance } from "fastify";
import type { Operation } from "./operation.js";

export interface Route {
  readonly method: string;
  /** With its parameters as `:name`. */
  readonly path: string;
  /** What a request's body is held against. */
  readonly body: unknown;
  readonly operation: Operation | undefined;
  readonly isOpen: boolean;
}

/** Grows as routes are registered, so it must be made before them. */
export function listRoutes(app: FastifyInstance): readonly Route[] {
  const routes: Route[] = [];
  app.addHook("onRoute", ({ method, url, schema, config }) => {
    const { operation, isOpen = false } = config ?? {};
    for (const one of [method].flat())
      routes.push({ method: one, path: url, body: schema?.body, operation, isOpen });
  });
  return routes;
}

/** The methods that an address can be asked with; none where nothing is there. */
export function methodsAt(routes: readonly Route[], address: string): readonly string[] {
  const [path = ""] = address.split("?");
  return routes.filter((route) => patternOf(route).test(path)).map(({ method }) => method);
}

function patternOf({ path }: Route): RegExp {
  return new RegExp(`^${path.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+")}$`);
}
