/** tRPC 11, over its adapter for Node and over that for fetch. */
import { createServer, type IncomingMessage } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { initTRPC, TRPCError } from "@trpc/server";
import { type FetchCreateContextFnOptions, fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { type CreateHTTPContextOptions, createHTTPHandler } from "@trpc/server/adapters/standalone";
import { gate } from "../../../src/adapters/trpc/trpc.js";
import { type AppUnderTest, listening, type Reply, type Setup } from "../app.js";

function answer({ status = 200, body = "hello" }: Reply): unknown {
  if (status === 200) return body;
  throw new TRPCError({ code: status === 401 ? "UNAUTHORIZED" : "INTERNAL_SERVER_ERROR" });
}

function onNode({ gates, handle, onError, host }: Setup) {
  const t = initTRPC.context<CreateHTTPContextOptions>().create();
  const procedure = gates.reduce(
    (before, { limit, options }) => before.use(gate(limit, { ...options, http: ({ ctx }) => ctx })),
    t.procedure,
  );
  const router = t.router({ hello: procedure.query(async () => answer(await handle())) });
  const handler = createHTTPHandler({
    router,
    createContext: (options) => options,
    onError: ({ error }) => onError(error.cause ?? error),
  });
  return listening(createServer(handler), host);
}

interface FetchContext extends FetchCreateContextFnOptions {
  readonly incoming: Pick<IncomingMessage, "socket">;
}

function onFetch({ gates, handle, onError, host }: Setup) {
  const t = initTRPC.context<FetchContext>().create();
  const procedure = gates.reduce(
    (before, { limit, options }) =>
      before.use(
        gate(limit, {
          ...options,
          http: ({ ctx }) => ctx,
          address: ({ ctx }) => ctx.incoming.socket.remoteAddress,
        }),
      ),
    t.procedure,
  );
  const router = t.router({ hello: procedure.query(async () => answer(await handle())) });
  const listener = getRequestListener((req, { incoming }) =>
    fetchRequestHandler({
      endpoint: "",
      req,
      router,
      createContext: (options) => ({ ...options, incoming }),
      onError: ({ error }) => onError(error.cause ?? error),
    }),
  );
  return listening(createServer(listener), host);
}

const differs = {
  "refuses with a problem document": "the body is tRPC's own, of an error with a code; see trpc.test.ts",
  "refuses with the caller's own answer":
    "the body is tRPC's own, and the status that of a code; see trpc.test.ts",
  "counts HEAD as any request, and refuses it without a body": "tRPC answers HEAD without a call",
  "counts OPTIONS as any request, unless it is skipped": "tRPC knows GET and POST only",
  "settles a streamed answer at its end": "a procedure is settled when it has returned",
  "settles a streamed answer that its client left, as aborted": "a procedure is settled when it has returned",
  "refuses an upload that nobody reads, and serves on": "tRPC reads a POST before it calls a mutation",
};

export const TRPC: readonly AppUnderTest[] = [
  { name: "trpc 11 on node", start: onNode, differs },
  { name: "trpc 11 on fetch", start: onFetch, differs },
];
