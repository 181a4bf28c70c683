/** What is NestJS's own: where gates stand, what skips them, exception filters, both platforms; and its types. */
import "reflect-metadata";
import { afterEach, describe, expect, test } from "vitest";
import { Gate, gate, SkipGate } from "../../src/adapters/nest/nest.js";
import { BadOption } from "../../src/errors.js";
import { route } from "../../src/http/gate/readers.js";
import { sluiceAt } from "../sluice-at.js";
import { decorate, NEST_VERSIONS, type Nest } from "./apps/nest.js";
import { ask, statuses } from "./ask.js";
import { fastifyPlatform } from "./fastify-platform.js";
import * as nest10 from "./nest-10/nest-10.js";
import * as nest11 from "./nest-11.js";

test("the versions are those that are said to be tested", () => {
  expect(nest10.version).toMatch(/^10\./);
  expect(nest11.version).toMatch(/^11\./);
});

const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const app of running.splice(0)) await app.close();
});

type Platform = "express" | "fastify";
const CASES = NEST_VERSIONS.flatMap(([name, nest]) =>
  (["express", "fastify"] as const).map((platform) => [`${name} on ${platform}`, nest, platform] as const),
);

interface Parts {
  readonly controllers: readonly (new () => object)[];
  readonly global?: object;
}

async function start({ common, core }: Nest, platform: Platform, { controllers, global }: Parts) {
  class App {}
  const providers = global === undefined ? [] : [{ provide: core.APP_GUARD, useValue: global }];
  common.Module({ controllers: [...controllers], providers })(App);
  const options = { logger: false, forceCloseConnections: true, abortOnError: false } as const;
  const app = await (platform === "express"
    ? core.NestFactory.create(App, options)
    : core.NestFactory.create(App, fastifyPlatform({ common, core }), options));
  running.push(app);
  await app.listen(0, "127.0.0.1");
  return (app.getHttpServer().address() as { port: number }).port;
}

/** A controller with a handler for each name, at a path of that name. */
function controller({ common }: Nest, path: string, ...names: string[]) {
  class Hello {}
  for (const name of names) {
    Object.defineProperty(Hello.prototype, name, {
      value: () => "hello",
      configurable: true,
      writable: true,
    });
    decorate(Hello, name, common.Get(`${name}/:id`));
  }
  common.Controller(path)(Hello);
  return Hello;
}

const at = (path: string) => ({ path: `/${path}/1` });

describe.each(CASES)("%s", (_, nest, platform) => {
  const { HttpException, UseGuards } = nest.common;

  test("APP_GUARD guards all handlers, and counts by their patterns", async () => {
    const global = gate("route:1/m", { facts: { route: route() } });
    const port = await start(nest, platform, { controllers: [controller(nest, "a", "x", "y")], global });
    expect(await statuses(port, 2, at("a/x"))).toEqual([200, 429]);
    expect(await statuses(port, 1, { path: "/a/x/2" })).toEqual([429]);
    expect(await statuses(port, 2, at("a/y"))).toEqual([200, 429]);
  });

  test("@UseGuards guards a handler, and refuses with a problem document", async () => {
    const Hello = controller(nest, "a", "x", "y");
    decorate(Hello, "x", UseGuards(gate("ip:1/m", { sluice: sluiceAt(0).sluice })));
    const port = await start(nest, platform, { controllers: [Hello] });
    expect(await statuses(port, 3, at("a/y"))).toEqual([200, 200, 200]);
    await ask(port, at("a/x"));
    const { status, headers, body } = await ask(port, at("a/x"));
    expect([status, headers["content-type"], headers["retry-after"], JSON.parse(body).status]).toEqual([
      429,
      expect.stringContaining("application/problem+json"),
      "60",
      429,
    ]);
  });

  test("@Gate counts the handlers of a controller together, and a handler by itself", async () => {
    const Hello = controller(nest, "a", "x", "y", "z");
    const { sluice } = sluiceAt(0);
    Gate("ip:3/m", { sluice })(Hello);
    decorate(Hello, "z", Gate("ip:1/m", { sluice }) as MethodDecorator);
    const port = await start(nest, platform, { controllers: [Hello] });
    expect(await statuses(port, 1, at("a/z"))).toEqual([200]);
    const { status, headers } = await ask(port, at("a/z"));
    expect([status, headers["ratelimit"]]).toEqual([429, '"ip:3/m";r=1;t=60,"ip:1/m";r=0;t=60']);
    expect(await statuses(port, 1, at("a/x"))).toEqual([200]);
    expect(await statuses(port, 1, at("a/y"))).toEqual([429]);
  });

  test("@SkipGate skips the gates further out, and not those of its own place", async () => {
    const skip = SkipGate() as MethodDecorator;
    const Hello = controller(nest, "a", "open", "own", "usual");
    Gate("ip:2/m")(Hello);
    decorate(Hello, "open", skip);
    decorate(Hello, "own", skip, Gate("ip:3/m") as MethodDecorator);
    const Skipping = controller(nest, "b", "x", "limited");
    SkipGate()(Skipping);
    decorate(Skipping, "limited", Gate("ip:1/m") as MethodDecorator);
    const Both = controller(nest, "c", "x");
    SkipGate()(Both);
    Gate("ip:2/m")(Both);
    class Heir extends Both {}
    nest.common.Controller("d")(Heir);
    const controllers = [Hello, Skipping, Both, Heir];
    const port = await start(nest, platform, { controllers, global: gate("ip:1/m") });
    expect(await statuses(port, 5, at("a/open"))).toEqual([200, 200, 200, 200, 200]);
    expect(await statuses(port, 4, at("a/own"))).toEqual([200, 200, 200, 429]);
    expect(await statuses(port, 3, at("b/x"))).toEqual([200, 200, 200]);
    expect(await statuses(port, 2, at("b/limited"))).toEqual([200, 429]);
    expect(await statuses(port, 2, at("c/x"))).toEqual([200, 200]);
    expect(await statuses(port, 1, at("d/x"))).toEqual([429]);
    expect(await statuses(port, 2, at("a/usual"))).toEqual([200, 429]);
  });

  test("refusals go through the exception filters where the gate is told how", async () => {
    const exception = (status: number, body: string) => new HttpException(JSON.parse(body), status);
    const controllers = [controller(nest, "a", "x")];
    const { sluice } = sluiceAt(0);
    const port = await start(nest, platform, { controllers, global: gate("ip:1/m", { sluice, exception }) });
    await ask(port, at("a/x"));
    const { status, headers, body } = await ask(port, at("a/x"));
    expect([status, headers["retry-after"], headers["cache-control"]]).toEqual([429, "60", "no-store"]);
    expect(headers["content-type"]).toMatch(/^application\/json/);
    expect(JSON.parse(body)).toMatchObject({ status: 429, "violated-policies": ["ip:1/m"] });
  });

  test("an error of a gate is a 500 of NestJS", async () => {
    const facts = { user: () => Promise.reject(new Error("broken")) };
    const controllers = [controller(nest, "a", "x")];
    const port = await start(nest, platform, { controllers, global: gate("user:1/m", { facts }) });
    const { status, body } = await ask(port, at("a/x"));
    expect([status, JSON.parse(body)]).toEqual([500, { statusCode: 500, message: "Internal server error" }]);
  });

  test("settles when the answer has ended", async () => {
    const told: number[] = [];
    const settle = ({ status }: { status: number }) => {
      told.push(status);
      return 0;
    };
    const controllers = [controller(nest, "a", "x")];
    const port = await start(nest, platform, { controllers, global: gate("ip:1/m", { settle }) });
    for (const times of [1, 2, 3]) {
      expect(await statuses(port, 1, at("a/x"))).toEqual([200]);
      await expect.poll(() => told, { interval: 1 }).toHaveLength(times);
    }
    expect(told).toEqual([200, 200, 200]);
  });
});

test("a call that is no HTTP request is an error, and not a bypass", async () => {
  const context = {
    getType: () => "rpc",
    getHandler: () => test,
    getClass: () => Object,
    switchToHttp(): never {
      throw new Error("This is not asked.");
    },
  };
  await expect(gate("ip:1/m").canActivate(context)).rejects.toThrow(BadOption);
  await expect(gate("ip:1/m").canActivate(context)).rejects.toThrow('type "rpc". Put @SkipGate()');
});

/** Compiled, not called. */
export function typesOfNest10(): void {
  type Request = import("express-4").Request;
  const { UseGuards } = nest10.common;
  class Hello {}
  UseGuards(gate("ip:1/m"), gate<Request>("user:1/m", { facts: { user: ({ ip }) => ip } }))(Hello);
  nest10.core.NestFactory.create(Hello).then((app) => app.useGlobalGuards(gate("ip:1/m")));
  const decorator: MethodDecorator & ClassDecorator = Gate("ip:1/m");
  const both: MethodDecorator & ClassDecorator = SkipGate();
  nest10.common.applyDecorators(decorator, both);
}

/** Compiled, not called. */
export function typesOfNest11(): void {
  type Request = import("express-5").Request;
  const { UseGuards } = nest11.common;
  class Hello {}
  UseGuards(gate("ip:1/m"), gate<Request>("user:1/m", { facts: { user: ({ ip }) => ip } }))(Hello);
  nest11.core.NestFactory.create(Hello).then((app) => app.useGlobalGuards(gate("ip:1/m")));
  nest11.common.applyDecorators(Gate("ip:1/m"), SkipGate());
}
