/** The page itself: a few files, read once, which hold nothing of anybody's. */
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS = {
  "Content-Security-Policy": POLICY,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  Vary: "Accept-Encoding",
};

export function pageFiles(app: FastifyInstance, folder: string): void {
  for (const name of readdirSync(folder)) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const plain = readFileSync(join(folder, name));
    const packed = gzipSync(plain, { level: 9 });
    const send = ({ headers }: FastifyRequest, reply: FastifyReply) => {
      const takesGzip = /\bgzip\b/.test(headers["accept-encoding"]?.toString() ?? "");
      reply.headers(HEADERS).type(type);
      return takesGzip ? reply.header("Content-Encoding", "gzip").send(packed) : reply.send(plain);
    };
    const isLinked = name === "index.html";
    app.get(isLinked ? "/" : `/page/${name}`, { config: { isOpen: true, isLinked } }, send);
  }
}
