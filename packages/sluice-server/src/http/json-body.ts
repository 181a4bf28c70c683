/** Bodies are JSON, and nothing else is read. */
import type { FastifyInstance } from "fastify";

export function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  // Fastify also reads text, which a browser lets any web page send to any server.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, body, done) => {
    // An empty one is none, whatever type it is said to be of.
    if (body === "") done(null, undefined);
    else parse(request, body, done);
  });
}
