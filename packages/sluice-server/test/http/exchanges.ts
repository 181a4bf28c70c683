/** Requests that are right or wrong by the OpenAPI document, and the status of their answers, in an order that counts. */
import type { Question } from "./ask.js";

export const LIMITS = {
  login: "ip:2/h gcra or user:20/d",
  api: "user:3/h fixed-window or user:100/d sliding-counter and ip:5/m sliding-window",
  all: "3/h gcra",
  never: "user:0/h",
  quiet: { rule: "user:1/h gcra", shadow: true },
};

export interface Exchange extends Question {
  readonly what: string;
  readonly status: number;
}

const [ada, both] = [{ facts: { user: "ada" } }, { facts: { user: "ada", ip: "192.0.2.1" } }];
const consume = (limit: string) => `POST /v1/limits/${limit}/consume`;

export const RIGHT: readonly Exchange[] = [
  { what: "GET /healthz", status: 200 },
  { what: "GET /readyz", status: 200 },
  { what: "GET /metrics", status: 200 },
  { what: "GET /openapi.json", status: 200 },
  { what: "GET /v1/limits", status: 200 },
  { what: consume("login"), status: 200, body: both },
  { what: consume("login"), status: 200, body: { ...both, cost: 2 } },
  { what: consume("login"), status: 200, body: { ...both, cost: 1000 } },
  { what: consume("login"), status: 200, body: { facts: { user: null, ip: null, city: true, age: 42.5 } } },
  ...[1, 2, 3, 4].map(() => ({ what: consume("api"), status: 200, body: both })),
  ...[1, 2, 3, 4].map(() => ({ what: consume("all"), status: 200 })),
  { what: consume("never"), status: 200, body: ada },
  ...[1, 2].map(() => ({ what: consume("quiet"), status: 200, body: ada })),
  { what: "POST /v1/limits/login/peek", status: 200, body: both },
  { what: "POST /v1/limits/login/refund", status: 204, body: both },
  { what: "POST /v1/limits/login/reset", status: 204, body: both },
  {
    what: "POST /v1/batch",
    status: 200,
    body: {
      requests: [
        { limit: "all", action: "reset" },
        { limit: "all", cost: 2 },
        { limit: "x" },
        { limit: "api" },
      ],
    },
  },
  { what: "GET /v1/gate/all", status: 204 },
  ...[401, 403, 429, 503].map((status) => ({ what: `GET /v1/gate/all?cost=3&status=${status}`, status })),
  { what: "GET /v1/gate/never?user=ada&ip=::1", status: 429 },
  { what: "GET /v1/gate/login", status: 400 },
  { what: "GET /v1/gate/nobody", status: 404 },
];

export const WRONG: readonly Exchange[] = [
  { what: "GET /v1/gate/all?cost=0", status: 400 },
  { what: "GET /v1/gate/all?status=500", status: 400 },
  ...["consume", "peek", "refund", "reset"].flatMap((action) => [
    { what: `POST /v1/limits/all/${action}`, status: 400, body: { fact: {} } },
    { what: `POST /v1/limits/all/${action}`, status: 400, body: { facts: { user: [] } } },
    { what: `POST /v1/limits/all/${action}`, status: 400, body: { facts: { user: 2 ** 53 } } },
    { what: `POST /v1/limits/all/${action}`, status: 400, body: { cost: 0 } },
    { what: `POST /v1/limits/all/${action}`, status: 400, body: [] },
  ]),
  { what: "POST /v1/limits/all/reset", status: 400, body: { cost: 1 } },
  { what: "POST /v1/batch", status: 400 },
  { what: "POST /v1/batch", status: 400, body: {} },
  { what: "POST /v1/batch", status: 400, body: { requests: [] } },
  { what: "POST /v1/batch", status: 400, body: { requests: [{ limit: "all", action: "forget" }] } },
];
