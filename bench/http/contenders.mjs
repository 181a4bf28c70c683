/** The only list of servers: each says hello behind a limit by address, or behind none. */

/** `listen({ limit, seconds })` answers the port. A process loads only what it measures. */
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
      const { gate } = await import("sluice/express");
      return listenExpress(gate(`ip:${limit}/${seconds}s`));
    },
  },
  {
    name: "express + sluice gcra",
    library: "sluice",
    note: "the same with a state that is one number.",
    async listen({ limit, seconds }) {
      const { gate } = await import("sluice/express");
      return listenExpress(gate(`ip:${limit}/${seconds}s gcra`));
    },
  },
  {
    name: "express + express-rate-limit",
    library: "express-rate-limit",
    note: "its MemoryStore, a fixed window, with the three X-RateLimit headers: its defaults.",
    async listen({ limit, seconds }) {
      const { rateLimit } = await import("express-rate-limit");
      return listenExpress(rateLimit({ limit, windowMs: seconds * 1000 }));
    },
  },
  {
    name: "express + express-rate-limit draft-7",
    library: "express-rate-limit",
    note: "the same with the two headers of draft-7 in place of its older ones.",
    async listen({ limit, seconds }) {
      const { rateLimit } = await import("express-rate-limit");
      const headers = { standardHeaders: "draft-7", legacyHeaders: false };
      return listenExpress(rateLimit({ limit, windowMs: seconds * 1000, ...headers }));
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
      const { gate } = await import("sluice/fastify");
      return listenFastify((app) => app.register(gate, { limit: `ip:${limit}/${seconds}s` }));
    },
  },
  {
    name: "fastify + @fastify/rate-limit",
    library: "@fastify/rate-limit",
    note: "its local store, a fixed window, with the three X-RateLimit headers: its defaults.",
    async listen({ limit, seconds }) {
      const { default: rateLimit } = await import("@fastify/rate-limit");
      return listenFastify((app) => app.register(rateLimit, { max: limit, timeWindow: seconds * 1000 }));
    },
  },
];

export function contenderNamed(name) {
  return CONTENDERS.find((contender) => contender.name === name);
}

async function listenExpress(...middleware) {
  const { default: express } = await import("express-5");
  const app = express();
  for (const one of middleware) app.use(one);
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
