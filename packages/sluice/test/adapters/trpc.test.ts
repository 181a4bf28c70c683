/** What is tRPC's own: errors with codes, batches, callers without HTTP; and that its types fit: this file is compiled. */
import { createServer } from "node:http";
import { initTRPC, TRPCError } from "@trpc/server";
import { type CreateHTTPContextOptions, createHTTPHandler } from "@trpc/server/adapters/standalone";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import { afterEach, describe, expect, test } from "vitest";
import { RefusedCall, TRPC_STATUS, type TrpcCode } from "../../src/adapters/trpc/error.js";
import { gate } from "../../src/adapters/trpc/trpc.js";
import { NoAddress } from "../../src/http/address/client-address.js";
import { header } from "../../src/http/gate/readers.js";
import { RateLimitExceeded } from "../../src/limiter/rate-limit-exceeded.js";
import { sluiceAt } from "../sluice-at.js";
import { listening, type RunningApp } from "./app.js";
import { ask } from "./ask.js";

const running: RunningApp[] = [];
afterEach(async () => {
  for (const app of running.splice(0)) await app.close();
});

const byUser = { facts: { user: ({ ctx }: { ctx: { user: string } }) => ctx.user } };

describe("a refused call", () => {
  const t = initTRPC.context<{ user: string }>().create();

  async function errorOf(call: () => Promise<unknown>): Promise<TRPCError> {
    try {
      await call();
    } catch (error) {
      return error as TRPCError;
    }
    throw new Error("It was not refused.");
  }

  test("is an error of tRPC, with the decision as its cause", async () => {
    const { sluice } = sluiceAt(0);
    const guarded = t.procedure.use(gate("user:1/m", { ...byUser, sluice }));
    const router = t.router({ hello: guarded.query(() => "hello") });
    const caller = t.createCallerFactory(router)({ user: "ada" });
    expect(await caller.hello()).toBe("hello");
    const error = await errorOf(() => caller.hello());
    expect(error).toMatchObject({
      name: "TRPCError",
      code: "TOO_MANY_REQUESTS",
      message: "Request cannot be satisfied as assigned quota has been exceeded",
    });
    expect(error.cause).toBeInstanceOf(RateLimitExceeded);
    expect(error.cause).toMatchObject({ decision: { allowed: false, retryAfterMs: 60_000 } });
  });

  test.each([
    ["a text of one's own", { body: "slow down" }, "slow down", "TOO_MANY_REQUESTS"],
    ["a status that tRPC knows", { status: 403 }, expect.stringContaining("quota"), "FORBIDDEN"],
    ["a status that it does not", { status: 418 }, expect.stringContaining("quota"), "TOO_MANY_REQUESTS"],
  ])("has %s", async (_, own, message, code) => {
    const refusing = gate("user:1/m", { ...byUser, refuse: () => own });
    const router = t.router({ hello: t.procedure.use(refusing).query(() => "hello") });
    const caller = t.createCallerFactory(router)({ user: "ada" });
    await caller.hello();
    expect(await errorOf(() => caller.hello())).toMatchObject({ message, code });
  });

  test("without what it is counted by is a bad request", async () => {
    const router = t.router({
      hello: t.procedure.use(gate("key:1/m", { facts: { key: header("x-key") } })).query(() => "hello"),
    });
    const error = await errorOf(() => t.createCallerFactory(router)({ user: "ada" }).hello());
    expect(error).toMatchObject({ code: "BAD_REQUEST", message: 'The request has no header "x-key".' });
    expect(error.cause).toBeUndefined();
  });

  test("without an address says what to do", async () => {
    const router = t.router({ hello: t.procedure.use(gate("ip:1/m")).query(() => "hello") });
    const error = await errorOf(() => t.createCallerFactory(router)({ user: "ada" }).hello());
    expect(error).toMatchObject({ code: "INTERNAL_SERVER_ERROR", cause: expect.any(NoAddress) });
    expect(error.message).toContain("http: ({ ctx }) => ctx");
  });

  test("is counted by input and path, which is its route", async () => {
    const bought: unknown[] = [];
    const input = (value: unknown) => value as { item: string };
    const byItem = gate<{ user: string }, { item: string }>("route:9/m or item:1/m", {
      facts: {
        item: (call) => call.input.item,
        route: (_call, { route }) => {
          bought.push(route);
          return route;
        },
      },
    });
    const buy = t.procedure
      .input(input)
      .use(byItem)
      .mutation(() => "bought");
    const caller = t.createCallerFactory(t.router({ shop: { buy } }))({ user: "ada" });
    await caller.shop.buy({ item: "tea" });
    await caller.shop.buy({ item: "milk" });
    expect(await errorOf(() => caller.shop.buy({ item: "tea" }))).toMatchObject({
      code: "TOO_MANY_REQUESTS",
    });
    expect(bought).toEqual(["shop.buy", "shop.buy", "shop.buy"]);
  });
});

describe("over HTTP", () => {
  const t = initTRPC.context<CreateHTTPContextOptions>().create({
    errorFormatter: ({ shape, error }) => ({
      ...shape,
      retryAfterMs: error.cause instanceof RateLimitExceeded ? error.cause.decision.retryAfterMs : undefined,
    }),
  });

  test("an error formatter can say when to come back, and the calls of a batch share their headers", async () => {
    const procedure = t.procedure.use(gate("ip:2/m", { sluice: sluiceAt(0).sluice, http: ({ ctx }) => ctx }));
    const router = t.router({ a: procedure.query(() => "a"), b: procedure.query(() => "b") });
    const server = await listening(
      createServer(createHTTPHandler({ router, createContext: (http) => http })),
      "127.0.0.1",
    );
    running.push(server);
    const { status, headers, body } = await ask(server.port, { path: "/a,b,a?batch=1&input={}" });
    expect(JSON.parse(body)).toMatchObject([
      { result: { data: "a" } },
      { result: { data: "b" } },
      { error: { retryAfterMs: 60_000, data: { code: "TOO_MANY_REQUESTS", httpStatus: 429 } } },
    ]);
    expect(status).toBe(207);
    expect(headers).toMatchObject({ ratelimit: '"ip:2/m";r=0;t=60', "retry-after": "60" });
  });
});

describe("the codes", () => {
  test.each(Object.entries(TRPC_STATUS))("%s is answered with %i", (code, status) => {
    expect(getHTTPStatusCodeFromError(new TRPCError({ code: code as TrpcCode }))).toBe(status);
  });

  test("are those of tRPC", () => {
    expect(Object.keys(TRPC_STATUS).sort()).toEqual(Object.keys(TRPC_ERROR_CODES_BY_KEY).sort());
  });

  test("of our errors are known to it", () => {
    const refusal = { status: 503, headers: {}, body: "away" };
    const error = new RefusedCall({ pass: false, refusal, decision: undefined });
    expect(getHTTPStatusCodeFromError(error as TRPCError)).toBe(503);
  });
});

/** Compiled, not called. */
export function typesOfTrpc(): void {
  const t = initTRPC.context<{ user: string }>().create();
  t.procedure
    .use(gate("user:5/m", { facts: { user: ({ ctx }) => ctx.user } }))
    .query(({ ctx }) => ctx.user.length);
  t.procedure
    .use(({ next }) => next({ ctx: { plan: "free" } }))
    .use(gate("plan:5/m", { facts: { plan: ({ ctx }) => ctx.plan } }))
    .query(({ ctx }) => `${ctx.plan} ${ctx.user}`);
  t.procedure
    .input((value: unknown) => value as { id: string })
    .use(
      gate("id:5/m", { facts: { id: ({ input }) => input.id }, settle: ({ native }) => (native.ok ? 1 : 0) }),
    )
    .mutation(({ input }) => input.id);
  t.middleware(gate("user:5/m", { facts: { user: ({ ctx }) => ctx.user } }));
  // @ts-expect-error the context has no such thing
  t.procedure.use(gate("user:5/m", { facts: { user: ({ ctx }) => ctx.nobody } }));
}
