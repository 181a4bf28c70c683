/** What is Koa's own, and that its types fit: this file is compiled. */
import { createServer } from "node:http";
import Koa2 from "koa-2";
import Koa3 from "koa-3";
import { afterEach, describe, expect, test } from "vitest";
import { gate } from "../../src/adapters/koa/koa.js";
import { sluiceAt } from "../sluice-at.js";
import { listening, type RunningApp } from "./app.js";
import { ask, statuses } from "./ask.js";

const running: RunningApp[] = [];
afterEach(async () => {
  for (const app of running.splice(0)) await app.close();
});

const VERSIONS = [
  ["2", Koa2],
  ["3", Koa3 as unknown as typeof Koa2],
] as const;

describe.each(VERSIONS)("koa %s", (_, Koa) => {
  async function serve(...middleware: readonly Koa2.Middleware[]): Promise<number> {
    const app = new Koa();
    for (const one of middleware) app.use(one);
    const server = await listening(createServer(app.callback()), "127.0.0.1");
    running.push(server);
    return server.port;
  }

  test("counts by the pattern that a router has found", async () => {
    const port = await serve(
      (context, next) => {
        context["_matchedRoute"] = "/users/:id";
        return next();
      },
      gate("route:1/m", { facts: { route: (_context, { route }) => route } }),
      (context) => {
        context.body = "hello";
      },
    );
    expect(await statuses(port, 1, { path: "/users/1" })).toEqual([200]);
    expect(await statuses(port, 1, { path: "/users/2" })).toEqual([429]);
  });

  test("lets outer middleware see and change its answer", async () => {
    const port = await serve(
      async (context, next) => {
        await next();
        if (context.status === 429) context.set("X-Seen", String(context.body).slice(0, 8));
      },
      gate("ip:1/m", { sluice: sluiceAt(0).sluice }),
      (context) => {
        context.body = "hello";
      },
    );
    await ask(port);
    expect((await ask(port)).headers).toMatchObject({ "x-seen": '{"type":', "retry-after": "60" });
  });
});

/** Compiled, not called. */
export function typesOfKoa2(): void {
  const app = new Koa2<{ user: string }>();
  app.use(gate("ip:100/m"));
  type Context = Koa2.ParameterizedContext<{ user: string }>;
  app.use(gate<Context>("user:5/m", { facts: { user: (context) => context.state.user } }));
  app.use(gate<Koa2.Context>("user:5/m", { facts: { user: (context) => context.get("x-user") } }));
}

/** Compiled, not called. */
export function typesOfKoa3(): void {
  const app = new Koa3<{ user: string }>();
  app.use(gate("ip:100/m"));
  type Context = Koa3.ParameterizedContext<{ user: string }>;
  app.use(gate<Context>("user:5/m", { facts: { user: (context) => context.state.user } }));
  app.use(gate<Koa3.Context>("user:5/m", { facts: { user: (context) => context.get("x-user") } }));
}
