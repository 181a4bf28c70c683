/** Holds real requests and answers against the OpenAPI document, more strictly than the document itself. */
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Answer, Question } from "./ask.js";

interface Content {
  readonly content?: Readonly<Record<string, unknown>>;
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly style?: string;
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Content & { readonly required: boolean };
  readonly responses: Readonly<
    Record<
      string,
      Content & { readonly description: string; readonly headers?: Readonly<Record<string, unknown>> }
    >
  >;
  readonly security?: readonly object[];
}

export interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const NOTED_HEADERS = ["ratelimit", "ratelimit-policy", "retry-after", "www-authenticate"];

export class Contract {
  /** `POST /v1/batch 200`, of every answer that was held against the document. */
  readonly seen = new Set<string>();
  private readonly ajv = new Ajv2020({
    allErrors: true,
    allowUnionTypes: true,
    formats: { "uri-reference": true },
  });

  constructor(readonly document: OpenApi) {
    // The document is more than a schema: its other parts are no keywords.
    for (const word of Object.keys(document)) this.ajv.addKeyword(word);
    this.ajv.addSchema({ ...(closed(document) as object), $id: "openapi" });
  }

  /** What is wrong by the document with what was asked; empty where nothing is. */
  mistakesIn(what: string, { body }: Question): readonly string[] {
    const { pointer, operation, query } = this.find(what);
    const mistakes = operation.parameters.flatMap((parameter, at) => {
      const value = parameter.in === "query" ? valueIn(parameter, query, operation.parameters) : undefined;
      return value === undefined ? [] : this.against(`${pointer}/parameters/${at}/schema`, value);
    });
    if (body === undefined)
      return operation.requestBody?.required === true ? [...mistakes, "no body"] : mistakes;
    if (operation.requestBody === undefined) return [...mistakes, "a body"];
    const value: unknown = typeof body === "string" ? JSON.parse(body) : body;
    return [...mistakes, ...this.against(`${pointer}/requestBody/content/application~1json/schema`, value)];
  }

  /** What is wrong by the document with the answer. */
  mistakesOf(what: string, { status, headers, text, json }: Answer): readonly string[] {
    const { method, path, pointer, operation } = this.find(what);
    const response = operation.responses[status];
    if (response === undefined) return [`${status} is not described`];
    this.seen.add(`${method.toUpperCase()} ${path} ${status}`);
    const described = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
    const mistakes = NOTED_HEADERS.filter((name) => headers.has(name) && !described.includes(name));
    const type = headers.get("Content-Type")?.replace(/;.*/, "");
    if (response.content === undefined) return text === "" ? mistakes : [...mistakes, "a body"];
    if (type === undefined || response.content[type] === undefined) return [...mistakes, `the type ${type}`];
    const schema = `${pointer}/responses/${status}/content/${type.replaceAll("/", "~1")}/schema`;
    return [...mistakes, ...this.against(schema, type.endsWith("json") ? json : text)];
  }

  private find(what: string) {
    const [verb = "", address = ""] = what.split(" ");
    const { pathname, searchParams } = new URL(address, "http://localhost");
    const method = verb.toLowerCase();
    const path = Object.keys(this.document.paths).find((known) =>
      new RegExp(`^${known.replace(/\{\w+\}/g, "[^/]+")}$`).test(pathname),
    );
    const operation = path === undefined ? undefined : this.document.paths[path]?.[method];
    if (path === undefined || operation === undefined) throw new Error(`${what} is not in the document.`);
    const pointer = `openapi#/paths/${encodeURIComponent(path.replaceAll("/", "~1"))}/${method}`;
    return { method, path, pointer, operation, query: searchParams };
  }

  private against(pointer: string, value: unknown): readonly string[] {
    const validate = this.ajv.getSchema(pointer) ?? this.ajv.compile({ $ref: pointer });
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }
}

/** As the parameter's schema wants it: all that no other parameter names, or a number. */
function valueIn({ name, style }: Parameter, query: URLSearchParams, all: readonly Parameter[]): unknown {
  if (style === "form")
    return Object.fromEntries([...query].filter(([key]) => !all.some((one) => one.name === key)));
  const text = query.get(name);
  return text === null ? undefined : Number(text);
}

/** With nothing in any object that is not described. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== "object" || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)]));
  return "properties" in copy && copy["type"] === "object" ? { additionalProperties: false, ...copy } : copy;
}
