/** NestJS 10 and 11, on Express. Decorators are called, since nothing here compiles them. */
import "reflect-metadata";
import type { ServerResponse } from "node:http";
import { gate } from "../../../src/adapters/nest/nest.js";
import { type AppUnderTest, PATH, type Setup, writeReply } from "../app.js";
import * as nest10 from "../nest-10/nest-10.js";
import * as nest11 from "../nest-11.js";

export type Nest = Pick<typeof nest10, "common" | "core">;

/** What both have in common; the types of each are tested in nest.test.ts. */
export const NEST_VERSIONS: readonly (readonly [name: string, nest: Nest])[] = [
  ["nest 10", nest10],
  ["nest 11", nest11 as unknown as Nest],
];

/** Applies decorators to a method of a class, the innermost last, as one would write them. */
export function decorate(type: { prototype: object }, method: string, ...decorators: MethodDecorator[]) {
  const descriptor = Object.getOwnPropertyDescriptor(type.prototype, method)!;
  for (const decorator of decorators.reverse()) decorator(type.prototype, method, descriptor);
}

export async function startNest({ common, core }: Nest, controller: new () => object, setup: Setup) {
  class App {}
  common.Module({ controllers: [controller] })(App);
  const app = await core.NestFactory.create(App, { logger: false, forceCloseConnections: true });
  app.useGlobalGuards(...setup.gates.map(({ limit, options }) => gate(limit, options)));
  app.useGlobalFilters({
    catch(error, host) {
      setup.onError(error);
      const response = host.switchToHttp().getResponse<ServerResponse>();
      if (!response.headersSent) response.writeHead(500).end("failed");
    },
  });
  await app.listen(0, setup.host);
  const { port } = app.getHttpServer().address() as { port: number };
  return { port, close: () => app.close() };
}

function onNest(nest: Nest) {
  const { All, Controller, Res } = nest.common;
  return (setup: Setup) => {
    class Hello {
      async hello(response: ServerResponse) {
        await writeReply(response, await setup.handle());
      }
    }
    Controller()(Hello);
    decorate(Hello, "hello", All(PATH));
    Res()(Hello.prototype, "hello", 0);
    return startNest(nest, Hello, setup);
  };
}

export const NEST: readonly AppUnderTest[] = NEST_VERSIONS.map(([name, nest]) => ({
  name,
  start: onNest(nest),
}));
