/** What passes and what is refused, and with which answer: the same through every adapter. */
import { Agent } from "node:http";
import { expect } from "vitest";
import type { Decision } from "../../src/decision/decision.js";
import { header } from "../../src/http/gate/readers.js";
import { ask, statuses } from "./ask.js";
import { forEveryApp } from "./every-app.js";

const byUser = { facts: { user: header("x-user") } };

const members = (list: unknown) => String(list).split(",");

forEveryApp(({ check, serve, guard }) => {
  check("passes with headers", async () => {
    const { port } = await guard("ip:2/m");
    const { status, headers, body } = await ask(port);
    expect({ status, body }).toEqual({ status: 200, body: expect.stringContaining("hello") });
    expect(headers).toMatchObject({
      "ratelimit-policy": '"ip:2/m";q=2;w=60',
      ratelimit: '"ip:2/m";r=1;t=60',
    });
    expect(headers).not.toHaveProperty("retry-after");
  });

  check("refuses with 429, when to come back, and nothing to keep; the handler is not asked", async () => {
    const { port, handled, clock } = await guard("ip:2/m");
    expect(await statuses(port, 2)).toEqual([200, 200]);
    const { status, headers } = await ask(port);
    expect(status).toBe(429);
    expect(headers).toMatchObject({
      "retry-after": "60",
      "cache-control": "no-store",
      ratelimit: '"ip:2/m";r=0;t=60',
    });
    expect(handled()).toBe(2);
    clock.advance(60_000);
    expect(await statuses(port, 1)).toEqual([200]);
  });

  check("refuses with a problem document", async () => {
    const { port } = await guard("ip:1/m");
    await ask(port);
    const { headers, body } = await ask(port);
    expect(headers["content-type"]).toMatch(/^application\/problem\+json/);
    expect(JSON.parse(body)).toEqual({
      type: "https://iana.org/assignments/http-problem-types#quota-exceeded",
      title: "Request cannot be satisfied as assigned quota has been exceeded",
      status: 429,
      "violated-policies": ["ip:1/m"],
    });
  });

  check("refuses with the caller's own answer", async () => {
    const refuse = () => ({ status: 418, headers: { "X-Own": "yes" }, body: { error: "slow down" } });
    const { port } = await guard("ip:1/m", { refuse });
    await ask(port);
    const { status, headers, body } = await ask(port);
    expect({ status, body: JSON.parse(body) }).toEqual({ status: 418, body: { error: "slow down" } });
    expect(headers).toMatchObject({ "x-own": "yes", "retry-after": "60" });
    expect(headers["content-type"]).toMatch(/^application\/json/);
  });

  check("merges the headers of two gates, also where the inner one refuses", async () => {
    const { port, handled } = await serve([{ limit: "ip:9/m" }, { limit: "user:1/h", options: byUser }]);
    const asked = { headers: { "x-user": "ada" } };
    const { headers } = await ask(port, asked);
    expect(members(headers["ratelimit-policy"])).toEqual(['"ip:9/m";q=9;w=60', '"user:1/h";q=1;w=3600']);
    expect(members(headers["ratelimit"])).toEqual(['"ip:9/m";r=8;t=60', '"user:1/h";r=0;t=3600']);
    const refused = await ask(port, asked);
    expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "3600" } });
    expect(members(refused.headers["ratelimit"])).toEqual(['"ip:9/m";r=7;t=60', '"user:1/h";r=0;t=3600']);
    expect(handled()).toBe(1);
  });

  check("asks no inner gate where the outer one refuses", async () => {
    const { port } = await serve([{ limit: "ip:1/m" }, { limit: "user:9/h", options: byUser }]);
    const asked = { headers: { "x-user": "ada" } };
    await ask(port, asked);
    expect((await ask(port, asked)).headers["ratelimit-policy"]).toBe('"ip:1/m";q=1;w=60');
  });

  check("takes what a request costs, and nothing where it costs nothing", async () => {
    const { port } = await guard("ip:10/m", { cost: (_, request) => Number(request.header("x-cost")) });
    const costing = async (cost: number) => {
      const { status, headers } = await ask(port, { headers: { "x-cost": cost } });
      return [status, headers["ratelimit"]];
    };
    expect(await costing(4)).toEqual([200, '"ip:10/m";r=6;t=60']);
    expect(await costing(7)).toEqual([429, expect.stringContaining("r=6")]);
    expect(await costing(6)).toEqual([200, '"ip:10/m";r=0;t=60']);
    expect(await costing(0)).toEqual([200, expect.stringContaining("r=0")]);
  });

  check("lets pass unseen what is skipped", async () => {
    const { port } = await guard("ip:1/m", { skip: (_, request) => request.header("x-health") === "yes" });
    const { status, headers } = await ask(port, { headers: { "x-health": "yes" } });
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty("ratelimit");
    expect(await statuses(port, 2, { headers: { "x-health": "yes" } })).toEqual([200, 200]);
    expect(await statuses(port, 2)).toEqual([200, 429]);
  });

  check("refuses nothing in shadow mode, and says nothing", async () => {
    const decisions: Decision[] = [];
    const { port } = await guard("ip:1/m", {
      shadow: true,
      onDecision: (decision) => decisions.push(decision),
    });
    expect(await statuses(port, 2)).toEqual([200, 200]);
    expect((await ask(port)).headers).not.toHaveProperty("ratelimit");
    expect(decisions.map(({ shadow }) => shadow?.allowed)).toEqual([true, false, false]);
  });

  check("calls its functions in one order", async () => {
    const calls: string[] = [];
    const note =
      <T>(name: string, result: T) =>
      () => {
        calls.push(name);
        return result;
      };
    const { port } = await guard(
      "user:1/m",
      {
        skip: note("skip", false),
        facts: { user: note("facts", "ada") },
        cost: note("cost", 1),
        onDecision: note("onDecision", undefined),
        onRefused: note("onRefused", undefined),
        refuse: note("refuse", undefined),
      },
      { handle: note("handle", {}) },
    );
    await ask(port);
    expect(calls).toEqual(["skip", "facts", "cost", "onDecision", "handle"]);
    calls.length = 0;
    await ask(port);
    expect(calls).toEqual(["skip", "facts", "cost", "onDecision", "onRefused", "refuse"]);
  });

  check("counts HEAD as any request, and refuses it without a body", async () => {
    const { port } = await guard("ip:1/m");
    expect(await ask(port, { method: "HEAD" })).toMatchObject({
      status: 200,
      headers: { ratelimit: '"ip:1/m";r=0;t=60' },
    });
    expect(await ask(port, { method: "HEAD" })).toMatchObject({
      status: 429,
      headers: { "retry-after": "60" },
      body: "",
    });
  });

  check("counts OPTIONS as any request, unless it is skipped", async () => {
    const { port } = await guard("ip:1/m");
    expect(await statuses(port, 2, { method: "OPTIONS" })).toEqual([200, 429]);
    const lenient = await guard("ip:1/m", { skip: (_, { method }) => method === "OPTIONS" });
    expect(await statuses(lenient.port, 2, { method: "OPTIONS" })).toEqual([200, 200]);
    expect(await statuses(lenient.port, 2)).toEqual([200, 429]);
  });

  check("keeps a connection over refusals", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { port, clock } = await guard("ip:1/m");
    expect([await ask(port, { agent }), await ask(port, { agent })]).toMatchObject([
      { status: 200 },
      { status: 429, reused: true },
    ]);
    clock.advance(60_000);
    expect(await ask(port, { agent })).toMatchObject({ status: 200, reused: true });
    agent.destroy();
  });

  check("refuses an upload that nobody reads, and serves on", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { port, clock } = await guard("ip:1/m");
    const upload = { method: "POST", body: "x".repeat(200_000), agent };
    await ask(port, { agent });
    expect((await ask(port, upload)).status).toBe(429);
    clock.advance(60_000);
    expect((await ask(port, { agent })).status).toBe(200);
    agent.destroy();
  });

  check("of 200 at once admits exactly 50", async () => {
    const { port, handled } = await guard("ip:50/m");
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask(port)));
    const admitted = answers.filter(({ status }) => status === 200);
    expect([admitted.length, handled()]).toEqual([50, 50]);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(150);
  });
});
