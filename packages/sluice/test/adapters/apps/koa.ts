/** Koa 2 and 3. */
import { createServer } from "node:http";
import { Readable } from "node:stream";
import Koa2 from "koa-2";
import Koa3 from "koa-3";
import { gate } from "../../../src/adapters/koa/koa.js";
import { type AppUnderTest, listening, type Setup } from "../app.js";

function onKoa2({ gates, handle, onError, host }: Setup) {
  const app = new Koa2();
  app.on("error", onError);
  for (const { limit, options } of gates) app.use(gate(limit, options));
  app.use(async (context) => {
    const { status = 200, body = "hello" } = await handle();
    context.status = status;
    context.body = typeof body === "string" ? body : Readable.from(body);
  });
  return listening(createServer(app.callback()), host);
}

function onKoa3({ gates, handle, onError, host }: Setup) {
  const app = new Koa3();
  app.on("error", onError);
  for (const { limit, options } of gates) app.use(gate(limit, options));
  app.use(async (context) => {
    const { status = 200, body = "hello" } = await handle();
    context.status = status;
    context.body = typeof body === "string" ? body : Readable.from(body);
  });
  return listening(createServer(app.callback()), host);
}

export const KOA: readonly AppUnderTest[] = [
  { name: "koa 2", start: onKoa2 },
  { name: "koa 3", start: onKoa3 },
];
