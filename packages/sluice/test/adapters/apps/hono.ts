/** Hono 4, behind @hono/node-server. */
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { gate } from "../../../src/adapters/hono/hono.js";
import { type AppUnderTest, fetchReply, listening, PATH, type Setup } from "../app.js";

function onHono({ gates, handle, onError, host }: Setup) {
  const app = new Hono();
  for (const { limit, options } of gates) app.use(gate(limit, options));
  app.all(PATH, async () => fetchReply(await handle()));
  app.onError((error, context) => {
    onError(error);
    return context.text("failed", 500);
  });
  return listening(createServer(getRequestListener(app.fetch)), host);
}

export const HONO: readonly AppUnderTest[] = [{ name: "hono 4", start: onHono }];
