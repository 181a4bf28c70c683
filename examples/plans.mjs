/**
 * Plans with different quotas: the key says who the customer is, the customer's plan says which rule holds.
 *
 *   node examples/plans.mjs
 */
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { gate } from "sluice/hono";

const PLANS = {
  free: "customer:3/m",
  team: "customer:60/m or customer:1000/d",
  scale: "customer:100/s burst 500", // 100 a second, and 500 at once after a pause
};
const CUSTOMERS = new Map([
  ["key-1", { id: "ada", plan: "free" }],
  ["key-2", { id: "grace", plan: "team" }],
  ["key-3", { id: "acme", plan: "scale" }],
]);

const app = new Hono();

// Who has no key is counted by address, before anything is looked up.
app.use(gate("ip:1000/m", { key: "strangers", headers: false }));
app.use(async (context, next) => {
  const customer = CUSTOMERS.get(context.req.header("x-api-key"));
  if (customer === undefined) return context.json({ error: "Which key?" }, 401);
  context.set("customer", customer);
  await next();
});
app.use(
  gate(({ plan }) => PLANS[plan], {
    key: "api",
    facts: (context) => {
      const { id, plan } = context.get("customer");
      return { customer: id, plan };
    },
    cost: (context) => (context.req.path === "/report" ? 3 : 1), // a report is worth three requests
    policies: ({ rule }) => rule.replace("customer:", ""),
  }),
);
app.get("/items", (context) => context.json([]));
app.get("/report", (context) => context.text("…"));

const server = serve({ fetch: app.fetch, port: 0 });

async function get(path, key) {
  const url = `http://127.0.0.1:${server.address().port}${path}`;
  const { status, headers } = await fetch(url, { headers: { "x-api-key": key } });
  console.log(`${key} ${path} ${status}`, headers.get("ratelimit") ?? "");
}

await get("/items", "key-0");
await get("/items", "key-1");
await get("/report", "key-1");
await get("/report", "key-2");
await get("/report", "key-3");

CUSTOMERS.set("key-1", { id: "ada", plan: "team" }); // ada has paid: the next request is decided by the new rule
await get("/report", "key-1");

server.close();
