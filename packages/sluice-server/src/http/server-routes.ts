/** How the server does: for orchestrators, load balancers and Prometheus. */
import type { FastifyInstance } from "fastify";
import { json, type Operation } from "./operation.js";

/** Ready is who can answer, if need be by a failure policy: a store that is away must not take every server away. */
export interface Readiness {
  readonly ready: boolean;
  readonly store: string;
}

export interface ServerState {
  readonly readiness: () => Readiness;
  /** In Prometheus's text form. */
  readonly metrics: () => Promise<string>;
}

const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export function serverRoutes(app: FastifyInstance, { readiness, metrics }: ServerState): void {
  app.get("/healthz", { config: { operation: HEALTH, isOpen: true } }, () => ({ status: "alive" }));
  app.get("/readyz", { config: { operation: READINESS, isOpen: true } }, (_, reply) => {
    const { ready, store } = readiness();
    return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "closing", store });
  });
  app.get("/metrics", { config: { operation: METRICS } }, async (_, reply) =>
    reply.type(METRICS_TYPE).send(await metrics()),
  );
}

const HEALTH: Operation = {
  operationId: "getHealth",
  summary: "Whether the server lives",
  tag: "server",
  responses: { 200: json("It does.", "Health") },
};

const READINESS: Operation = {
  operationId: "getReadiness",
  summary: "Whether the server takes requests",
  description: "It does also while its store is away, since the failure policy answers.",
  tag: "server",
  responses: { 200: json("It does.", "Readiness"), 503: json("It is closing.", "Readiness") },
};

const METRICS: Operation = {
  operationId: "getMetrics",
  summary: "What has been counted, for Prometheus",
  tag: "server",
  responses: {
    200: {
      description: "In Prometheus's text format.",
      content: { "text/plain": { schema: { type: "string" } } },
    },
  },
};
