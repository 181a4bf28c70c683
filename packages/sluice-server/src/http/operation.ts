/** What a route tells the OpenAPI document of itself; it stands beside the route, as its `config`. */
import { type ComponentName, referenceTo } from "./components.js";
import { PROBLEM_TYPE } from "./problem.js";

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: "decisions" | "limits" | "server";
  /** OpenAPI's parameters, those of the path left out. */
  readonly parameters?: readonly object[];
  /** By status; what follows from a route by itself, such as 404 of a name, is left out. */
  readonly responses: Readonly<Record<number, ResponseText>>;
}

/** A response as OpenAPI describes it. */
export interface ResponseText {
  readonly description: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, object>>;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** Left out where a route is none of the API's. */
    readonly operation?: Operation;
    /** Whether it is for everybody, token or not. */
    readonly isOpen?: boolean;
    /** Whether proxies ask it, which may pass on the headers of somebody else's request. */
    readonly isForProxies?: boolean;
    /** Whether pages of other sites may link to it. */
    readonly isLinked?: boolean;
  }
}

export const CHALLENGE = {
  "WWW-Authenticate": { description: "Where a token is missing or wrong.", schema: { type: "string" } },
};

export function json(description: string, name: ComponentName): ResponseText {
  return { description, content: { "application/json": { schema: referenceTo(name) } } };
}

export function problem(description: string, ...names: readonly ComponentName[]): ResponseText {
  const [first = "Problem", ...others] = names;
  const schema = others.length === 0 ? referenceTo(first) : { anyOf: names.map(referenceTo) };
  return { description, content: { [PROBLEM_TYPE]: { schema } } };
}
