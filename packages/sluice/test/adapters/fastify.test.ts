/** What is Fastify's own: the plugin, its hook and the config of a route; and that its types fit: this file is compiled. */
import fastify, { type FastifyRequest } from "fastify";
import { describe, expect, test } from "vitest";
import { type FastifyGateOptions, gate, type RouteGate } from "../../src/adapters/fastify/fastify.js";
import { BadOption } from "../../src/errors.js";
import { route } from "../../src/http/gate/readers.js";

/** What an application writes once. */
declare module "fastify" {
  interface FastifyContextConfig {
    gate?: RouteGate;
  }
}

const hello = async () => "hello";

async function statuses(
  app: { inject(url: string): PromiseLike<{ statusCode: number }> },
  ...urls: string[]
) {
  const found: number[] = [];
  for (const url of urls) found.push((await app.inject(url)).statusCode);
  return found;
}

describe("the plugin", () => {
  test("is for the whole application that registers it, before and after", async () => {
    const app = fastify();
    app.get("/before", hello);
    app.register(gate, { limit: "ip:2/m" });
    app.register(async (inner) => inner.get("/inner", hello));
    app.get("/after", hello);
    expect(await statuses(app, "/before", "/inner", "/after")).toEqual([200, 200, 429]);
  });

  test("is for a part of it where it is registered there", async () => {
    const app = fastify();
    app.register(async (inner) => {
      inner.register(gate, { limit: "ip:1/m" });
      inner.get("/inner", hello);
    });
    app.get("/outer", hello);
    expect(await statuses(app, "/inner", "/inner", "/outer", "/outer")).toEqual([200, 429, 200, 200]);
  });

  test("counts what no route is found for", async () => {
    const app = fastify();
    app.register(gate, { limit: "ip:1/m" });
    expect(await statuses(app, "/none", "/none")).toEqual([404, 429]);
  });

  test("counts by the pattern of the route", async () => {
    const app = fastify();
    app.register(gate, { limit: "route:1/m", facts: { route: route() } });
    app.get("/users/:id", hello);
    app.get("/items/:id", hello);
    expect(await statuses(app, "/users/1", "/users/2", "/items/1")).toEqual([200, 429, 200]);
  });

  test("can wait until the body is read", async () => {
    const app = fastify();
    app.register(gate<FastifyRequest<{ Body: { user: string } }>>, {
      limit: "user:1/m",
      hook: "preHandler",
      facts: { user: ({ body }) => body.user },
    });
    app.post("/", hello);
    const post = async (user: string) =>
      (await app.inject({ method: "POST", url: "/", payload: { user } })).statusCode;
    expect([await post("ada"), await post("ada"), await post("bob")]).toEqual([200, 429, 200]);
  });

  test("runs in its place among the hooks", async () => {
    const calls: string[] = [];
    const app = fastify();
    app.addHook("onRequest", async () => void calls.push("first"));
    app.register(gate, { limit: "ip:1/m", onDecision: () => calls.push("gate") });
    app.register(async (inner) => {
      inner.addHook("onRequest", async () => void calls.push("last"));
      inner.get("/", hello);
    });
    expect(await statuses(app, "/", "/")).toEqual([200, 429]);
    expect(calls).toEqual(["first", "gate", "last", "first", "gate"]);
  });

  test.each([
    ["a rule that is none", { limit: "ip:x" }],
    ["an option that nobody knows", { limit: "ip:1/m", windowMs: 1000 }],
    ["no limit", {}],
  ])("says at the start that it is given %s", async (_, options) => {
    const app = fastify();
    app.register(gate, options as FastifyGateOptions);
    await expect(app.ready()).rejects.toMatchObject({ code: expect.stringMatching(/^SLUICE_BAD_/) });
  });
});

describe("the config of a route", () => {
  test("puts another gate in place of the usual one, with the same other options", async () => {
    const app = fastify();
    app.register(gate, { limit: "user:1/m", facts: { user: () => "ada" } });
    app.get("/usual", hello);
    app.get("/own", { config: { gate: { limit: "user:2/m" } } }, hello);
    app.get("/none", { config: { gate: false } }, hello);
    expect(await statuses(app, "/usual", "/usual", "/own", "/own", "/own")).toEqual([
      200, 429, 200, 200, 429,
    ]);
    const { statusCode, headers } = await app.inject("/none");
    expect([statusCode, headers["ratelimit"]]).toEqual([200, undefined]);
  });

  test("is the same where the plugin is waited for, so that it sees the routes come", async () => {
    const app = fastify();
    await app.register(gate, { limit: "ip:1/m" });
    app.get("/usual", hello);
    app.get("/own", { config: { gate: { limit: "ip:2/m" } } }, hello);
    app.get("/none", { config: { gate: false } }, hello);
    expect(await statuses(app, "/usual", "/usual", "/own", "/own", "/own", "/none", "/none")).toEqual([
      200, 429, 200, 200, 429, 200, 200,
    ]);
  });

  test("may come from a plugin that sees the route later", async () => {
    const app = fastify();
    await app.register(gate, { limit: "ip:1/m" });
    app.addHook("onRoute", (options) => {
      options.config = { ...options.config, gate: { limit: "ip:2/m" } };
    });
    app.get("/", hello);
    expect(await statuses(app, "/", "/", "/")).toEqual([200, 200, 429]);
  });

  test("is the only gate where the plugin has no limit", async () => {
    const app = fastify();
    app.register(gate, { limit: false });
    app.get("/own", { config: { gate: { limit: "ip:1/m" } } }, hello);
    app.get("/open", hello);
    expect(await statuses(app, "/own", "/own", "/open", "/open")).toEqual([200, 429, 200, 200]);
  });

  test("is counted once, also where the plugin is registered twice", async () => {
    const app = fastify();
    app.register(gate, { limit: "ip:9/m" });
    app.register(gate, { limit: "ip:8/m" });
    app.get("/", { config: { gate: { limit: "ip:2/m" } } }, hello);
    expect(await statuses(app, "/", "/", "/")).toEqual([200, 200, 429]);
  });

  test("counts HEAD with the GET that it belongs to", async () => {
    const app = fastify();
    app.register(gate, { limit: false });
    app.get("/", { config: { gate: { limit: "ip:1/m" } } }, hello);
    expect(await statuses(app, "/")).toEqual([200]);
    expect((await app.inject({ method: "HEAD", url: "/" })).statusCode).toBe(429);
  });

  test("is found wrong when the route is defined", async () => {
    const app = fastify();
    await app.register(gate, { limit: "ip:9/m" });
    const define = (config: unknown) => () => app.get("/", { config: { gate: config as RouteGate } }, hello);
    expect(define({ limit: "ip:x" })).toThrow("ip:x");
    expect(define(5)).toThrow(BadOption);
    expect(define(null)).toThrow(BadOption);
  });

  test("is found wrong by a request where the route is defined before the plugin is loaded", async () => {
    const app = fastify();
    app.register(gate, { limit: "ip:9/m" });
    app.get("/", { config: { gate: 5 as unknown as RouteGate } }, hello);
    const { statusCode, body } = await app.inject("/");
    expect([statusCode, body]).toEqual([500, expect.stringContaining("config of a route")]);
  });
});

/** Compiled, not called. */
export function typesOfFastify(): void {
  const app = fastify();
  app.register(gate, { limit: "ip:100/m" });
  app.register(gate, { limit: "ip:100/m", trust: ["loopback"], hook: "preHandler" });
  app.register(gate<FastifyRequest>, { limit: "user:5/m", facts: { user: ({ ip }) => ip } });
  app.register(gate, {
    limit: "ip:5/m",
    facts: { user: ({ headers }) => headers["x-user"]?.toString() },
    settle: ({ native }) => (native.getHeader("x-cached") === undefined ? 1 : 0),
  });
  app.get("/", { config: { gate: { limit: "ip:1/m" } } }, hello);
  app.get("/open", { config: { gate: false } }, hello);
  // @ts-expect-error a rule is no number
  app.get("/wrong", { config: { gate: { limit: 5 } } }, hello);
  // @ts-expect-error there is no such hook
  app.register(gate, { limit: "ip:5/m", hook: "onSend" });
  // @ts-expect-error what is counted is not said
  app.register(gate, { trust: 1 });
}
