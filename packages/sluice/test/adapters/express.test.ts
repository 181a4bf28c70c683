/** What is Express's own, and that its types fit: this file is compiled. */
import { createServer, type RequestListener } from "node:http";
import express4 from "express-4";
import express5 from "express-5";
import { afterEach, describe, expect, test } from "vitest";
import { gate } from "../../src/adapters/express/express.js";
import { route } from "../../src/http/gate/readers.js";
import { listening, type RunningApp } from "./app.js";
import { ask, once, statuses } from "./ask.js";

const running: RunningApp[] = [];
afterEach(async () => {
  for (const app of running.splice(0)) await app.close();
});

async function portOf(app: unknown): Promise<number> {
  const server = await listening(createServer(app as RequestListener), "127.0.0.1");
  running.push(server);
  return server.port;
}

/** What both versions are used as here. */
const VERSIONS = [
  ["4", express4 as unknown as typeof express5],
  ["5", express5],
] as const;

describe.each(VERSIONS)("express %s", (_, express) => {
  test("counts on a route by its pattern, with the path of the router that it is in", async () => {
    const seen: unknown[] = [];
    const byRoute = gate("route:1/m", {
      facts: {
        route(_request, request) {
          seen.push([request.path, request.route]);
          return route()(_request, request);
        },
      },
    });
    const router = express.Router();
    router.get("/items/:id", byRoute, (_request, response) => void response.send("item"));
    const app = express();
    app.get("/users/:id", byRoute, (_request, response) => void response.send("user"));
    app.use("/shop", router);
    const port = await portOf(app);
    expect(await statuses(port, 1, { path: "/users/1?q=1" })).toEqual([200]);
    expect(await statuses(port, 1, { path: "/users/2" })).toEqual([429]);
    expect(await statuses(port, 2, { path: "/shop/items/3" })).toEqual([200, 429]);
    expect(seen).toEqual([
      ["/users/1", "/users/:id"],
      ["/users/2", "/users/:id"],
      ["/shop/items/3", "/shop/items/:id"],
      ["/shop/items/3", "/shop/items/:id"],
    ]);
  });

  test("leaves an answer alone that somebody gave while it decided", async () => {
    const decided = once<string>();
    const app = express();
    app.use((_request, response, next) => {
      next();
      response.status(202).send("accepted");
    });
    const calls: string[] = [];
    app.use(gate("user:1/m", { facts: () => decided.promise.then((user) => ({ user })) }));
    app.use((_request, _response, next) => {
      calls.push("passed");
      next();
    });
    app.use((_request, response) => void response.end());
    const port = await portOf(app);
    const answers = [await ask(port), await ask(port)];
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    decided.resolve("ada");
    expect(await ask(port)).toMatchObject({ status: 202, headers: {}, body: "accepted" });
    expect(calls).toEqual(["passed"]);
  });

  test("reads the address from the socket, and not what `trust proxy` makes of it", async () => {
    const app = express();
    app.set("trust proxy", true);
    app.use(gate("ip:1/m", { onWarning: () => undefined }), (_request, response) => void response.end());
    const port = await portOf(app);
    const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
    expect(await statuses(port, 1, from("203.0.113.1"))).toEqual([200]);
    expect(await statuses(port, 1, from("203.0.113.2"))).toEqual([429]);
  });
});

/** Compiled, not called. */
export function typesOfExpress4(): void {
  const app = express4();
  const router = express4.Router();
  app.use(gate("ip:100/m"));
  app.use("/api", gate("ip:100/m", { trust: 1 }), router);
  app.get("/users/:id", gate("ip:5/m"), (request, response) => void response.send(request.params.id));
  const handler: express4.RequestHandler = gate("user:5/m", { facts: { user: ({ ip }) => ip } });
  router.post("/", handler, gate<express4.Request>("user:5/m", { facts: { user: ({ ip }) => ip } }));
  app.use(
    gate<express4.Request, express4.Response>("ip:5/m", {
      settle: ({ native }) => (native.locals["failed"] ? 1 : 0),
    }),
  );
  // @ts-expect-error a fact is no object
  app.use(gate("user:5/m", { facts: { user: () => ({}) } }));
  // @ts-expect-error there is no such option
  app.use(gate("ip:5/m", { windowMs: 1000 }));
}

/** Compiled, not called. */
export function typesOfExpress5(): void {
  const app = express5();
  const router = express5.Router();
  app.use(gate("ip:100/m"));
  app.use("/api", gate("ip:100/m", { trust: 1 }), router);
  app.get("/users/:id", gate("ip:5/m"), (request, response) => void response.send(request.params.id));
  const handler: express5.RequestHandler = gate("user:5/m", { facts: { user: ({ ip }) => ip } });
  router.post("/", handler, gate<express5.Request>("user:5/m", { facts: { user: ({ ip }) => ip } }));
  app.use(
    gate<express5.Request, express5.Response>("ip:5/m", {
      settle: ({ native }) => (native.locals["failed"] ? 1 : 0),
    }),
  );
  // @ts-expect-error a fact is no object
  app.use(gate("user:5/m", { facts: { user: () => ({}) } }));
}
