/** What is Hono's own, and that its types fit: this file is compiled. */
import { type Context, Hono } from "hono";
import { describe, expect, test } from "vitest";
import { gate } from "../../src/adapters/hono/hono.js";
import { NoAddress } from "../../src/http/address/client-address.js";
import { route } from "../../src/http/gate/readers.js";
import { sluiceAt } from "../sluice-at.js";

/** What @hono/node-server hands over. */
const FROM = { incoming: { socket: { remoteAddress: "203.0.113.7" } } };

async function statuses(app: Hono, ...paths: string[]): Promise<number[]> {
  const found: number[] = [];
  for (const path of paths) found.push((await app.request(path, {}, FROM)).status);
  return found;
}

describe("the route", () => {
  test("is the pattern of the handler behind the gate", async () => {
    const app = new Hono();
    app.use(gate("route:1/m", { facts: { route: route() } }));
    app.get("/users/:id", (context) => context.text("user"));
    app.route(
      "/shop",
      new Hono().get("/items/:id", (context) => context.text("item")),
    );
    expect(await statuses(app, "/users/1", "/users/2", "/shop/items/1", "/shop/items/2")).toEqual([
      200, 429, 200, 429,
    ]);
  });

  test("is unknown where there is no handler", async () => {
    const app = new Hono();
    app.use(gate("route:9/m", { facts: { route: route() } }));
    expect(await statuses(app, "/none")).toEqual([400]);
  });
});

describe("the address", () => {
  const hello = (context: Context) => context.text("hello");

  test("is what the option says", async () => {
    const app = new Hono<{ Bindings: { ip: string } }>();
    app.use(gate<Context<{ Bindings: { ip: string } }>>("ip:1/m", { address: (context) => context.env.ip }));
    app.get("/", hello);
    const from = async (ip: string) => (await app.request("/", {}, { ip })).status;
    expect([await from("203.0.113.1"), await from("203.0.113.1"), await from("203.0.113.2")]).toEqual([
      200, 429, 200,
    ]);
  });

  test("is asked for, where the runtime has it elsewhere", async () => {
    const errors: Error[] = [];
    const app = new Hono();
    app.onError((error, context) => {
      errors.push(error);
      return context.text("failed", 500);
    });
    app.use(gate("ip:1/m"));
    app.get("/", hello);
    for (const env of [{}, undefined, { incoming: {} }]) {
      expect((await app.request("/", {}, env)).status).toBe(500);
    }
    expect(errors[0]).toBeInstanceOf(NoAddress);
    expect(errors[0]!.message).toContain("address: (c) => getConnInfo(c).remote.address");
  });

  test("is not needed where a proxy is trusted, nor where nobody counts by it", async () => {
    const app = new Hono();
    app.get("/proxied", gate("ip:1/m", { trust: 1 }), hello);
    app.get("/by-user", gate("user:1/m", { facts: { user: () => "ada" } }), hello);
    const headers = { "x-forwarded-for": "203.0.113.1" };
    expect((await app.request("/proxied", { headers })).status).toBe(200);
    expect((await app.request("/proxied", { headers })).status).toBe(429);
    expect((await app.request("/by-user")).status).toBe(200);
  });
});

describe("the answer", () => {
  test("gets headers also where it cannot be changed, and keeps its own", async () => {
    const app = new Hono();
    app.use(gate("ip:9/m", { sluice: sluiceAt(0).sluice }));
    app.get("/redirect", () => Response.redirect("http://localhost/other", 302));
    app.get("/cookies", () => {
      const headers = new Headers([
        ["set-cookie", "a=1"],
        ["set-cookie", "b=2"],
      ]);
      return new Response("hello", { status: 201, headers });
    });
    const redirect = await app.request("/redirect", {}, FROM);
    expect([redirect.status, redirect.headers.get("location")]).toEqual([302, "http://localhost/other"]);
    expect(redirect.headers.get("ratelimit")).toBe('"ip:9/m";r=8;t=60');
    const cookies = await app.request("/cookies", {}, FROM);
    expect([cookies.status, cookies.headers.getSetCookie()]).toEqual([201, ["a=1", "b=2"]]);
    expect(cookies.headers.get("ratelimit")).toBe('"ip:9/m";r=7;t=60');
  });

  test("of a refusal has what was set before, but can never be kept", async () => {
    const app = new Hono();
    app.use(async (context, next) => {
      context.header("X-Prepared", "yes");
      context.res.headers.set("Cache-Control", "public, max-age=60");
      await next();
    });
    app.use(gate("ip:1/m", { sluice: sluiceAt(0).sluice }));
    app.get("/", (context) => context.text("hello"));
    await app.request("/", {}, FROM);
    const { status, headers } = await app.request("/", {}, FROM);
    expect(status).toBe(429);
    expect(Object.fromEntries(headers)).toMatchObject({
      "x-prepared": "yes",
      "cache-control": "no-store",
      "content-type": "application/problem+json",
      "retry-after": "60",
    });
  });
});

/** Compiled, not called. */
export function typesOfHono(): void {
  type Env = { Variables: { user: string }; Bindings: { API_KEY: string } };
  const app = new Hono<Env>();
  app.use(gate("ip:100/m"));
  app.use("/api/*", gate("ip:100/m", { trust: 1 }));
  app.get("/users/:id", gate("ip:5/m"), (context) => context.text(context.req.param("id")));
  app.use(gate<Context<Env>>("user:5/m", { facts: { user: (context) => context.get("user") } }));
  app.post("/", gate<Context<Env>>("ip:5/m", { settle: ({ native }) => (native.ok ? 0 : 1) }), (context) =>
    context.json({}),
  );
  // @ts-expect-error an address is text
  app.use(gate("ip:5/m", { address: () => 5 }));
}
