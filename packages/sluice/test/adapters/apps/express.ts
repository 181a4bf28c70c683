/** Express 4 and 5. */
import { createServer, type RequestListener } from "node:http";
import express4 from "express-4";
import express5 from "express-5";
import { gate } from "../../../src/adapters/express/express.js";
import { type AppUnderTest, listening, PATH, type Setup, writeReply } from "../app.js";

function onExpress4({ gates, handle, onError, host }: Setup) {
  const app = express4();
  for (const { limit, options } of gates) app.use(gate(limit, options));
  app.all(PATH, (_request, response, next) => {
    Promise.resolve(handle())
      .then((reply) => writeReply(response, reply))
      .catch(next);
  });
  app.use((error: unknown, _request: unknown, response: express4.Response, _next: unknown) => {
    onError(error);
    response.sendStatus(500);
  });
  return listening(createServer(app), host);
}

function onExpress5({ gates, handle, onError, host }: Setup) {
  const app = express5();
  for (const { limit, options } of gates) app.use(gate(limit, options));
  app.all(PATH, async (_request, response) => {
    await writeReply(response, await handle());
  });
  app.use((error: unknown, _request: unknown, response: express5.Response, _next: unknown) => {
    onError(error);
    response.sendStatus(500);
  });
  return listening(createServer(app as RequestListener), host);
}

export const EXPRESS: readonly AppUnderTest[] = [
  { name: "express 4", start: onExpress4 },
  { name: "express 5", start: onExpress5 },
];
