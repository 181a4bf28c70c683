/** The one list of adapters that every suite runs over, and what a suite does with each of them. */
import { afterEach, describe, test } from "vitest";
import { sluiceAt } from "../sluice-at.js";
import type { AppUnderTest, CommonOptions, GateSetup, RunningApp, Setup } from "./app.js";
import { EXPRESS } from "./apps/express.js";
import { FASTIFY } from "./apps/fastify.js";
import { FETCH } from "./apps/fetch.js";
import { HONO } from "./apps/hono.js";
import { KOA } from "./apps/koa.js";
import { NEST } from "./apps/nest.js";
import { NODE } from "./apps/node.js";
import { TRPC } from "./apps/trpc.js";

const APPS = [...EXPRESS, ...FASTIFY, ...HONO, ...KOA, ...NODE, ...FETCH, ...NEST, ...TRPC];

export interface Suite {
  /** A test, or one that is left out with the reason that the app gives. */
  check(name: string, run: () => Promise<void>): void;
  /** A server with these gates, on a clock that stands still. It is closed after the test. */
  serve(gates: readonly GateSetup[], setup?: Partial<Setup>): Promise<Served>;
  /** With one gate. */
  guard(limit: GateSetup["limit"], options?: CommonOptions, setup?: Partial<Setup>): Promise<Served>;
}

export type Served = Awaited<ReturnType<typeof served>>;

export function forEveryApp(suite: (suite: Suite) => void): void {
  const running: RunningApp[] = [];
  afterEach(async () => {
    for (const app of running.splice(0)) await app.close();
  });
  describe.each(APPS)("$name", (app) => {
    const serve: Suite["serve"] = async (gates, setup = {}) => {
      const server = await served(app, gates, setup);
      running.push(server.app);
      return server;
    };
    suite({
      serve,
      guard: (limit, options = {}, setup = {}) => serve([{ limit, options }], setup),
      check(name, run) {
        const reason = app.differs?.[name];
        if (reason === undefined) test(name, run);
        else test.skip(`${name}: ${reason}`);
      },
    });
  });
}

async function served({ start }: AppUnderTest, gates: readonly GateSetup[], setup: Partial<Setup>) {
  const { clock, sluice } = sluiceAt(0);
  const { host = "127.0.0.1", handle = () => ({}) } = setup;
  const errors: unknown[] = [];
  let handled = 0;
  const app = await start({
    host,
    gates: gates.map(({ limit, options }) => ({ limit, options: { sluice, ...options } })),
    onError: (error) => errors.push(error),
    handle() {
      handled += 1;
      return handle();
    },
  });
  return {
    app,
    port: app.port,
    clock,
    /** What came to the framework's handler of errors. */
    errors,
    /** How often the handler was asked. */
    handled: () => handled,
  };
}
