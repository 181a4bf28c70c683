/** Every way to reach Redis, as `--store` names it: all surfaces decide there. */
import { expect, inject, test } from "vitest";
import { startSluice } from "./sluice-process.js";

const { single, cluster, sentinel } = inject("servers");
const places = (servers: readonly { readonly host: string; readonly port: number }[]) =>
  servers.map(({ host, port }) => `${host}:${port}`).join(",");

/** Redis may be slow on a busy machine, and nothing else answers in its place. */
const PATIENT = '{ url: "redis://127.0.0.1:1", deadlineMs: 30000, onFailure: throw }';

test.each([
  ["redis", `redis://${places([single])}/3`],
  ["redis-cluster", `redis-cluster://${places(cluster.nodes.slice(0, 2))}`],
  ["redis-sentinel", `redis-sentinel://${places(sentinel.sentinels)}/${sentinel.name}`],
])("%s", async (_, store) => {
  const namespace = `topologies-${process.pid}-${Math.random()}`;
  const config = `namespace: "${namespace}"\nstore: ${PATIENT}\nlimits: { login: "ip:5/h or user:3/h" }`;
  await using server = await startSluice({ config, args: ["--store", store] });
  expect(JSON.parse(server.out)).toMatchObject({ store });
  await server.heard("the store answers");

  const rateLimit = () => server.ask("RATELIMIT", "key", "1000000000000", "3000000000000");
  expect(await rateLimit()).toMatchObject([1, 2, 0, expect.any(Number)]);
  expect(await rateLimit()).toMatchObject([1, 1, 0, expect.any(Number)]);
  const facts = { ip: "192.0.2.7", user: "ada" };
  const consume = () => server.ask("SLUICE.CONSUME", "login", ...Object.entries(facts).flat());
  const post = async () => (await server.post("/v1/limits/login/consume", { facts })).json();
  expect(await consume()).toEqual([1, 2, 0, expect.any(Number), []]);
  expect(await post()).toMatchObject({ allowed: true, remaining: 1, source: "store" });
  expect(await consume()).toEqual([1, 0, 0, expect.any(Number), []]);
  expect(await post()).toMatchObject({ allowed: false, source: "store" });
  expect(await consume()).toEqual([0, 0, expect.any(Number), expect.any(Number), ["user:3/h"]]);

  const metrics = await (await server.fetch("/metrics")).text();
  expect(metrics).not.toContain('source="fallback"');
  expect(metrics).toContain('sluice_ratelimit_decisions_total{outcome="allowed",source="store"} 2');
  server.signal("SIGTERM");
  expect(await server.ended).toBe(0);
  expect(server.logged("the store")).toHaveLength(1);
});
