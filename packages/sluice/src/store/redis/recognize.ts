/** Which library a client is of, by its shape. */
import { BadOption, shown } from "../../errors.js";
import type { RedisClient } from "./client.js";
import { fromIoredis, type IoredisLike, isIoredis } from "./clients/ioredis.js";
import { fromNodeRedis, isNodeRedis, type NodeRedisLike } from "./clients/node-redis.js";
import { fromGlide, type GlideLike, isGlide } from "./clients/valkey-glide.js";

/** A client of ioredis, iovalkey, node-redis or valkey-glide. */
export type AnyRedisClient = IoredisLike | NodeRedisLike | GlideLike;

export function recognize(client: unknown): RedisClient {
  if (typeof client === "object" && client !== null) {
    if (isIoredis(client)) return fromIoredis(client);
    if (isNodeRedis(client)) return fromNodeRedis(client);
    if (isGlide(client)) return fromGlide(client);
  }
  throw new BadOption(
    `redisStore takes a client of ioredis, iovalkey, node-redis or valkey-glide, and this is ${shown(client)}.`,
  );
}
