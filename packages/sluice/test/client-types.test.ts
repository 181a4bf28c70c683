/** The types of every supported client are accepted as they are, without a cast. */
import type { GlideClient, GlideClusterClient } from "@valkey/valkey-glide";
import type { Cluster as Cluster5, Redis as Redis5 } from "ioredis-5";
import type { Cluster as Cluster6, Redis as Redis6 } from "ioredis-6";
import type { Cluster as ClusterOfIovalkey, Redis as Iovalkey } from "iovalkey";
import type * as redis5 from "redis-5";
import type * as redis6 from "redis-6";
import { expectTypeOf, test } from "vitest";
import type { AnyRedisClient } from "../src/store/redis/recognize.js";

test("a client fits redisStore's parameter", () => {
  expectTypeOf<Redis5>().toExtend<AnyRedisClient>();
  expectTypeOf<Cluster5>().toExtend<AnyRedisClient>();
  expectTypeOf<Redis6>().toExtend<AnyRedisClient>();
  expectTypeOf<Cluster6>().toExtend<AnyRedisClient>();
  expectTypeOf<Iovalkey>().toExtend<AnyRedisClient>();
  expectTypeOf<ClusterOfIovalkey>().toExtend<AnyRedisClient>();
  expectTypeOf<ReturnType<typeof redis5.createClient>>().toExtend<AnyRedisClient>();
  expectTypeOf<ReturnType<typeof redis5.createCluster>>().toExtend<AnyRedisClient>();
  expectTypeOf<ReturnType<typeof redis5.createSentinel>>().toExtend<AnyRedisClient>();
  expectTypeOf<ReturnType<typeof redis6.createClient>>().toExtend<AnyRedisClient>();
  expectTypeOf<ReturnType<typeof redis6.createCluster>>().toExtend<AnyRedisClient>();
  expectTypeOf<ReturnType<typeof redis6.createSentinel>>().toExtend<AnyRedisClient>();
  expectTypeOf<GlideClient>().toExtend<AnyRedisClient>();
  expectTypeOf<GlideClusterClient>().toExtend<AnyRedisClient>();
  expectTypeOf<{ get(key: string): Promise<string> }>().not.toExtend<AnyRedisClient>();
});
