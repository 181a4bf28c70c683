/** The client libraries that Sluice supports, each in the versions it supports. */
import * as ioredis5 from "ioredis-5";
import * as ioredis6 from "ioredis-6";
import * as iovalkey from "iovalkey";
import * as redis5 from "redis-5";
import * as redis6 from "redis-6";
import type { ClientKind } from "./client-kind.js";
import { glideKind } from "./glide-clients.js";
import { ioredisKind } from "./ioredis-clients.js";
import { nodeRedisKind } from "./node-redis-clients.js";

export type { Address, ClientKind, ConnectedClient, Servers, Topology } from "./client-kind.js";

export const CLIENTS: readonly ClientKind[] = [
  ioredisKind("ioredis 5", ioredis5),
  ioredisKind("ioredis 6", ioredis6),
  ioredisKind("iovalkey", iovalkey),
  nodeRedisKind("node-redis 5", redis5),
  nodeRedisKind("node-redis 6", redis6),
  glideKind("valkey-glide"),
];
