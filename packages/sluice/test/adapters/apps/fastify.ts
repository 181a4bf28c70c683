/** Fastify 5. */
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import fastify from "fastify";
import { gate } from "../../../src/adapters/fastify/fastify.js";
import { type AppUnderTest, PATH, type Setup } from "../app.js";

async function onFastify({ gates, handle, onError, host }: Setup) {
  const app = fastify({ forceCloseConnections: true });
  for (const { limit, options } of gates) app.register(gate, { limit, ...options });
  app.setErrorHandler((error, _request, reply) => {
    onError(error);
    reply.code(500).send("failed");
  });
  app.route({
    method: ["GET", "POST", "OPTIONS"],
    url: PATH,
    async handler(_request, reply) {
      const { status = 200, body = "hello" } = await handle();
      return reply.code(status).send(typeof body === "string" ? body : Readable.from(body));
    },
  });
  await app.listen({ port: 0, host });
  const { port } = app.server.address() as AddressInfo;
  return { port, close: () => app.close() };
}

export const FASTIFY: readonly AppUnderTest[] = [{ name: "fastify 5", start: onFastify }];
