/** The OpenAPI document is of the routes that there are, and real requests and answers are as it says. */

import { once } from "node:events";
import type { Server } from "node:http";
import { createServer } from "node:http";
import { Redis } from "ioredis";
import { type AnyRedisClient, redisStore } from "sluice/redis";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createHttpApp } from "../../src/http/http-app.js";
import { Contract, type DescribedOperation, type OpenApi } from "./contract.js";
import { type Exchange, LIMITS, RIGHT, WRONG } from "./exchanges.js";
import { routesOf } from "./routes.js";
import { type Served, serve } from "./serve.js";

const TOKEN = "a-long-random-token";
let served: Served;
let contract: Contract;
let document: OpenApi;
beforeAll(async () => {
  served = await serve({ limits: LIMITS, tokens: () => [TOKEN] });
  const { json } = await served.ask("GET /openapi.json", { headers: { Authorization: `Bearer ${TOKEN}` } });
  document = json as OpenApi;
  contract = new Contract(document);
});
afterAll(() => served?.close());

function operations(): readonly (readonly [what: string, operation: DescribedOperation])[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
}

test("every route is in it, and nothing else", async () => {
  const nothing = {} as never;
  const app = createHttpApp(
    {
      ...{ limits: nothing, log: nothing, tokens: () => [], version: "0" },
      ...{ readiness: () => nothing, metrics: async () => "" },
    },
    (listener) => createServer(listener) as Server,
  );
  const routes = await routesOf(app);
  expect(routes).toContain("POST /v1/limits/{name}/consume");
  const heads = operations().flatMap(([what]) =>
    what.startsWith("GET") ? [what.replace("GET", "HEAD")] : [],
  );
  expect([...operations().map(([what]) => what), ...heads].sort()).toEqual([...routes].sort());
  await app.close();
});

test("it is a document that a reader can use", () => {
  expect(document).toMatchObject({ openapi: "3.1.0", info: { title: "Sluice", version: "1.2.3" } });
  expect(document).toMatchObject({ security: [{ token: [] }, {}] });
  const ids = operations().map(([, { operationId }]) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [what, { summary, responses, parameters, security }] of operations()) {
    expect(summary, what).toMatch(/^[A-Z]\S*( \S+)*[^.]$/);
    expect(Object.keys(responses), what).toContain("default");
    for (const { description } of Object.values(responses)) expect(description, what).not.toBe("");
    const names = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
    expect(names, what).toEqual([...what.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    const isOpen = ["GET /healthz", "GET /readyz"].includes(what);
    expect(security, what).toEqual(isOpen ? [] : undefined);
    expect("401" in responses, what).toBe(!isOpen);
  }
});

test("every reference leads somewhere, and every schema is referred to", () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
  const names = new Set(references.map(([, name]) => name));
  expect([...names].sort()).toEqual(Object.keys(document.components.schemas).sort());
});

describe("as it says", () => {
  const bearing = { Authorization: `Bearer ${TOKEN}` };

  async function exchange(
    { what, status, ...question }: Exchange,
    headers = {},
    server = served,
  ): Promise<void> {
    const answer = await server.ask(what, { ...question, headers });
    expect(answer.status, what).toBe(status);
    expect(contract.mistakesOf(what, answer), `${what}: ${answer.text}`).toEqual([]);
  }

  test("right requests and their answers", async () => {
    for (const one of RIGHT) {
      expect(contract.mistakesIn(one.what, one), one.what).toEqual([]);
      await exchange(one, bearing);
    }
  });

  test("wrong requests are wrong by the document too", async () => {
    for (const one of WRONG) {
      expect(contract.mistakesIn(one.what, one), JSON.stringify(one)).not.toEqual([]);
      await exchange(one, bearing);
    }
  });

  test("what has no token, no such name, or a body of another kind", async () => {
    for (const [what, { responses, requestBody }] of operations()) {
      const asked = what.replace("{name}", "all");
      if ("401" in responses) await exchange({ what: asked, status: 401 });
      if ("404" in responses)
        await exchange({ what: what.replace("{name}", "nobody"), status: 404 }, bearing);
      if (requestBody === undefined) continue;
      await exchange({ what: asked, status: 413, body: " ".repeat(65_537) }, bearing);
      await exchange({ what: asked, status: 415, body: "{}" }, { ...bearing, "Content-Type": "text/plain" });
    }
  });

  test("a server whose store is away, or that is closing", async () => {
    const client = new Redis({ port: inject("servers").single.port, enableOfflineQueue: false });
    await once(client, "ready");
    const store = redisStore(client as AnyRedisClient, { onFailure: "throw" });
    const limits = {
      away: "3/h",
      shy: { rule: "3/h", onFailure: "deny" },
      home: { rule: "3/h", onFailure: "local" },
    } as const;
    const readiness = () => ({ ready: false, store: "away" });
    const away = await serve({ limits, store, readiness });
    await exchange({ what: "POST /v1/limits/away/consume", status: 200 }, {}, away);
    client.disconnect();
    for (const action of ["consume", "peek", "refund", "reset"])
      await exchange({ what: `POST /v1/limits/away/${action}`, status: 503 }, {}, away);
    await exchange({ what: "GET /v1/gate/away", status: 503 }, {}, away);
    await exchange({ what: "GET /v1/gate/shy", status: 503 }, {}, away);
    await exchange({ what: "POST /v1/limits/home/consume", status: 200 }, {}, away);
    await exchange({ what: "GET /readyz", status: 503 }, {}, away);
    await away.close();
  });

  test("an answer that is not so would be noticed", async () => {
    const what = "POST /v1/limits/all/peek";
    const answer = await served.ask(what, { headers: bearing });
    const mistakesOf = (change: object) => contract.mistakesOf(what, { ...answer, ...change });
    const decision = answer.json as object;
    expect(mistakesOf({})).toEqual([]);
    expect(mistakesOf({ json: { ...decision, more: 1 } })).not.toEqual([]);
    expect(mistakesOf({ json: { ...decision, remaining: "3" } })).not.toEqual([]);
    expect(mistakesOf({ json: { ...decision, limits: [{}] } })).not.toEqual([]);
    expect(mistakesOf({ status: 201 })).not.toEqual([]);
    expect(mistakesOf({ headers: new Headers({ "Content-Type": "text/html" }) })).not.toEqual([]);
  });

  test("and every answer that it describes has been seen", () => {
    const described = operations().flatMap(([what, { responses }]) =>
      Object.keys(responses).flatMap((status) => (status === "default" ? [] : [`${what} ${status}`])),
    );
    expect([...contract.seen].sort()).toEqual([...described].sort());
  });
});
