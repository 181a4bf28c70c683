/** The only list of servers: each says hello behind a limit by address, or behind none. */

/**
 * `listen({ limit, seconds })` answers the port. A process loads only what it measures, the framework first as
 * applications do.
 */
export const CONTENDERS = [
  {
    name: "express",
    note: "Express 5 without a limiter.",
    isBare: true,
    listen: async () => listenExpress(),
  },
  {
    name: "express + sluice",
    library: "sluice",
    note: "its default algorithm, a sliding log, with the two headers of draft-11: its defaults.",
    async listen({ limit, seconds }) {
      return listenExpress(async () => {
        const { gate } = await import("sluice/express");
        return gate(`ip:${limit}/${seconds}s`);
      });
    },
  },
  {
    name: "express + sluice fixed-window",
    library: "sluice",
    note: "the same with the algorithm of express-rate-limit.",
    async listen({ limit, seconds }) {
      return listenExpress(async () => {
        const { gate } = await import("sluice/express");
        return gate(`ip:${limit}/${seconds}s fixed-window`);
      });
    },
  },
  {
    name: "express + express-rate-limit",
    library: "express-rate-limit",
    note: "its MemoryStore, a fixed window, with the three X-RateLimit headers: its defaults.",
    async listen({ limit, seconds }) {
      return listenExpress(async () => {
        const { rateLimit } = await import("express-rate-limit");
        return rateLimit({ limit, windowMs: seconds * 1000 });
      });
    },
  },
  {
    name: "express + express-rate-limit draft-7",
    library: "express-rate-limit",
    note: "the same with the two headers of draft-7 in place of its older ones.",
    async listen({ limit, seconds }) {
      return listenExpress(async () => {
        const { rateLimit } = await import("express-rate-limit");
        const headers = { standardHeaders: "draft-7", legacyHeaders: false };
        return rateLimit({ limit, windowMs: seconds * 1000, ...headers });
      });
    },
  },
  {
    name: "fastify",
    note: "Fastify 5 without a limiter.",
    isBare: true,
    listen: async () => listenFastify(() => undefined),
  },
  {
    name: "fastify + sluice",
    library: "sluice",
    note: "as above.",
    async listen({ limit, seconds }) {
      return listenFastify(async (app) => {
        const { gate } = await import("sluice/fastify");
        await app.register(gate, { limit: `ip:${limit}/${seconds}s` });
      });
    },
  },
  {
    name: "fastify + sluice fixed-window",
    library: "sluice",
    note: "the same with the algorithm of @fastify/rate-limit.",
    async listen({ limit, seconds }) {
      return listenFastify(async (app) => {
        const { gate } = await import("sluice/fastify");
        await app.register(gate, { limit: `ip:${limit}/${seconds}s fixed-window` });
      });
    },
  },
  {
    name: "fastify + @fastify/rate-limit",
    library: "@fastify/rate-limit",
    note: "its local store, a fixed window, with the three X-RateLimit headers: its defaults.",
    async listen({ limit, seconds }) {
      return listenFastify(async (app) => {
        const { default: rateLimit } = await import("@fastify/rate-limit");
        await app.register(rateLimit, { max: limit, timeWindow: seconds * 1000 });
      });
    },
  },
];

export function contenderNamed(name) {
  return CONTENDERS.find((contender) => contender.name === name);
}

async function listenExpress(middlewareOf) {
  const { default: express } = await import("express-5");
  const app = express();
  if (middlewareOf !== undefined) app.use(await middlewareOf());
  app.get("/", (_request, response) => {
    response.send("hello");
  });
  return new Promise((resolve) => {
    const server = app.listen(0, "127.0.0.1", () => resolve(server.address().port));
  });
}

async function listenFastify(register) {
  const { default: fastify } = await import("fastify");
  const app = fastify();
  await register(app);
  app.get("/", async () => "hello");
  await app.listen({ port: 0, host: "127.0.0.1" });
  return app.server.address().port;
}
