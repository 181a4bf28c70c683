/**
 * Redis over HTTP, as @upstash/redis asks for it: a command or a list of them as JSON, the answer as JSON, its texts
 * in base64. A process of its own, since the test waits for the docs' code without a turn of its event loop.
 */
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Redis } from "ioredis-6";

const [, , redisPort, token] = process.argv;
const redis = new Redis(Number(redisPort));

/** Upstash's servers know this flag of a script, and Redis does not. */
const FLAG = /^#!lua flags=allow-key-locking\n/;

function written(args) {
  return args.map((arg) => String(arg ?? "").replace(FLAG, ""));
}

function encoded(reply) {
  if (Array.isArray(reply)) return reply.map(encoded);
  return typeof reply === "string" && reply !== "OK" ? Buffer.from(reply).toString("base64") : reply;
}

const answer = (asked) => asked.then(encoded).then((result) => ({ result }));
const failed = (error) => ({ error: error.message });

async function answersTo(path, body) {
  if (path === "/") return answer(redis.call(...written(body)));
  if (path === "/pipeline") {
    return Promise.all(body.map((command) => answer(redis.call(...written(command))).catch(failed)));
  }
  if (path !== "/multi-exec") throw new Error(`Nothing is known of ${path}.`);
  const replies = await redis.multi(body.map(written)).exec();
  return replies.map(([error, reply]) => (error ? failed(error) : { result: encoded(reply) }));
}

async function respond(request) {
  if (request.headers.authorization !== `Bearer ${token}`) return [401, { error: "WRONGPASS" }];
  if (request.headers["upstash-encoding"] !== "base64") return [400, { error: "Only base64 is known here." }];
  try {
    return [200, await answersTo(request.url, JSON.parse(await text(request)))];
  } catch (error) {
    return [400, failed(error)];
  }
}

const server = createServer(async (request, response) => {
  const [status, body] = await respond(request);
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
});
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.once("disconnect", () => process.exit());
