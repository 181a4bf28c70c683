/** Any handler from Request to Response, here behind @hono/node-server. */
import { createServer, type IncomingMessage } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { gate } from "../../../src/adapters/fetch/fetch.js";
import { type AppUnderTest, fetchReply, listening, type Setup } from "../app.js";

interface Bindings {
  readonly incoming: Pick<IncomingMessage, "socket">;
}

type Handler = (request: Request, bindings: Bindings) => Response | Promise<Response>;

function onFetch({ gates, handle, onError, host }: Setup) {
  const handler = gates.reduceRight<Handler>(
    (inner, { limit, options }) =>
      gate(limit, {
        ...options,
        address: (_request: Request, { incoming }: Bindings) => incoming.socket.remoteAddress,
      })(inner),
    async () => fetchReply(await handle()),
  );
  const listener = getRequestListener(async (request, bindings) => {
    try {
      return await handler(request, bindings);
    } catch (error) {
      onError(error);
      return new Response("failed", { status: 500 });
    }
  });
  return listening(createServer(listener), host);
}

export const FETCH: readonly AppUnderTest[] = [{ name: "fetch", start: onFetch }];
