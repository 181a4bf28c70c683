/**
 * As much of @nestjs/platform-fastify as a gate meets, which is not installed here: NestJS's own pipeline on a real
 * Fastify, with Fastify's request and reply in the execution context.
 */
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Nest } from "./apps/nest.js";

export function fastifyPlatform({ core }: Nest) {
  class FastifyPlatform extends core.AbstractHttpAdapter<
    FastifyInstance["server"],
    FastifyRequest,
    FastifyReply
  > {
    private readonly app: FastifyInstance;

    constructor(app = fastify({ forceCloseConnections: true })) {
      super(app);
      this.app = app;
    }

    initHttpServer() {
      this.httpServer = this.app.server;
    }
    override async init() {
      this.initHttpServer();
    }
    override listen(port: number | string, host?: unknown, done?: unknown) {
      const callback = [host, done].find((value) => typeof value === "function") as () => void;
      const address = typeof host === "string" ? host : "127.0.0.1";
      void this.app.listen({ port: Number(port), host: address }).then(callback);
    }
    close() {
      return this.app.close();
    }
    reply(reply: FastifyReply, body: unknown, status?: number) {
      if (status !== undefined) reply.code(status);
      return reply.send(body);
    }
    end(reply: FastifyReply) {
      return reply.raw.end();
    }
    status(reply: FastifyReply, status: number) {
      return reply.code(status);
    }
    isHeadersSent(reply: FastifyReply) {
      return reply.sent;
    }
    setHeader(reply: FastifyReply, name: string, value: string) {
      return reply.header(name, value);
    }
    getHeader(reply: FastifyReply, name: string) {
      return reply.getHeader(name);
    }
    appendHeader(reply: FastifyReply, name: string, value: string) {
      return reply.header(name, value);
    }
    getRequestHostname = (request: FastifyRequest) => request.hostname;
    getRequestMethod = (request: FastifyRequest) => request.method;
    getRequestUrl = (request: FastifyRequest) => request.url;
    getType = () => "fastify";
    setErrorHandler() {}
    setNotFoundHandler() {}
    registerParserMiddleware() {}
    enableCors() {}
    setViewEngine() {}
    useStaticAssets() {}
    render() {}
    redirect() {}
    createMiddlewareFactory = () => () => undefined;
    applyVersionFilter = (): never => {
      throw new Error("There are no versions here.");
    };
  }
  return new FastifyPlatform();
}
