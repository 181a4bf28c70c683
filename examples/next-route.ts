/**
 * A route handler of Next.js: in an app, this is app/api/users/[id]/route.ts. Its functions come and go and share no
 * memory, so they count on Redis.
 */
import { Redis } from "ioredis";
import { createSluice } from "sluice";
import { gate } from "sluice/fetch";
import { redisStore } from "sluice/redis";

interface Context {
  readonly params: Promise<{ readonly id: string }>;
}

// Outside of the handlers: one client for each instance of the function, and not for each request.
const redis = new Redis(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379", { maxRetriesPerRequest: 0 });
const sluice = createSluice({ namespace: "next", store: redisStore(redis) });

// The platform's proxy stands in front, so that its word is taken for who the client is.
const reading = gate("ip:60/m", { sluice, key: "read", trust: 1 });
const writing = gate("ip:2/m", {
  sluice,
  key: "write",
  trust: 1,
  onFailure: "deny", // 503 while Redis is away; reading goes on, counted by each instance
  settle: ({ status }) => (status < 400 ? 1 : 0), // what was not written costs nothing
});

export const GET = reading(async (_request: Request, { params }: Context) => {
  const { id } = await params;
  return Response.json({ id });
});

export const PUT = writing(async (request: Request, { params }: Context) => {
  const { id } = await params;
  const body: unknown = await request.json().catch(() => undefined);
  if (body === undefined) return Response.json({ error: "Not JSON" }, { status: 400 });
  return Response.json({ id, body });
});
