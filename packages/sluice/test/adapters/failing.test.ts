/** Stores that are away, functions that throw, and clients that lie: the same through every adapter. */
import { expect } from "vitest";
import { createSluice } from "../../src/limiter/sluice.js";
import { redisStore } from "../../src/store/redis/redis-store.js";
import { ask, statuses } from "./ask.js";
import { forEveryApp } from "./every-app.js";

/** On a client that is not connected, and never will be. */
const awayStore = () => createSluice({ store: redisStore({ status: "end", call: async () => {} }) });

const from = (list: string) => ({ headers: { "x-forwarded-for": list } });

forEveryApp(({ check, guard }) => {
  check("refuses with 503 where the store is away and the policy is to deny", async () => {
    const { port, handled } = await guard("ip:9/m", { sluice: awayStore(), onFailure: "deny" });
    const { status, headers, body } = await ask(port);
    expect([status, handled()]).toEqual([503, 0]);
    expect(headers["cache-control"]).toBe("no-store");
    expect(body).toMatch(/temporary/);
  });

  check("lets pass where the store is away and the policy is to allow", async () => {
    const { port } = await guard("ip:1/m", { sluice: awayStore(), onFailure: "allow" });
    expect(await statuses(port, 3)).toEqual([200, 200, 200]);
  });

  check("hands the error of a store that is away to the framework, and serves on", async () => {
    const { port, errors, handled } = await guard("ip:9/m", { sluice: awayStore(), onFailure: "throw" });
    expect(await statuses(port, 2)).toEqual([500, 500]);
    expect(errors).toMatchObject([
      { code: "SLUICE_STORE_UNAVAILABLE" },
      { code: "SLUICE_STORE_UNAVAILABLE" },
    ]);
    expect(handled()).toBe(0);
  });

  const functions = ["skip", "facts", "cost", "onDecision"] as const;
  check("hands what a function throws, now or later, to the framework", async () => {
    const error = new Error("broken");
    const now = () => {
      throw error;
    };
    for (const name of functions) {
      for (const broken of name === "onDecision" ? [now] : [now, () => Promise.reject(error)]) {
        const facts = { user: name === "facts" ? broken : () => "ada" };
        const { port, errors, handled } = await guard("user:9/m", { [name]: broken, facts });
        expect([name, await statuses(port, 1), errors, handled()]).toEqual([name, [500], [error], 0]);
      }
    }
  });

  check("fails where something is thrown that is no error", async () => {
    for (const thrown of [undefined, "route", null]) {
      const facts = () => Promise.reject(thrown);
      const { port, handled } = await guard("user:9/m", { facts });
      expect([thrown, await statuses(port, 1), handled()]).toEqual([thrown, [500], 0]);
    }
  });

  check("counts by the client that a trusted proxy names, whatever the client wrote before", async () => {
    const { port } = await guard("ip:1/m", { trust: 1 });
    expect(await statuses(port, 1, from("203.0.113.1"))).toEqual([200]);
    expect(await statuses(port, 1, from("203.0.113.1"))).toEqual([429]);
    expect(await statuses(port, 1, from("198.51.100.7, 203.0.113.1"))).toEqual([429]);
    expect(await statuses(port, 1, from("<script>, 203.0.113.1"))).toEqual([429]);
    expect(await statuses(port, 1, from("203.0.113.2"))).toEqual([200]);
  });

  check("counts by the socket where no proxy is trusted", async () => {
    const warnings: string[] = [];
    const { port } = await guard("ip:1/m", { onWarning: (message) => warnings.push(message) });
    expect(await statuses(port, 1, from("203.0.113.1"))).toEqual([200]);
    expect(await statuses(port, 1, from("203.0.113.2"))).toEqual([429]);
    expect(warnings).toEqual([expect.stringContaining("trust is not set")]);
  });

  check("answers 400 to a forwarded address that is none", async () => {
    const { port, handled, errors } = await guard("ip:9/m", { trust: 1 });
    for (const list of ["unknown", "203.0.113.1, ", "999.1.1.1", "a".repeat(10_000), ",".repeat(10_000)]) {
      const { status, body } = await ask(port, from(list));
      expect([list.slice(0, 20), status, body]).toEqual([
        list.slice(0, 20),
        400,
        expect.stringContaining("address of the client"),
      ]);
    }
    expect([handled(), await statuses(port, 1, from("203.0.113.1"))]).toEqual([0, [200]]);
    expect(errors.filter((error) => !(error instanceof Error && error.name === "TRPCError"))).toEqual([]);
  });

  check("outlives headers of 100 KB", async () => {
    const { port, handled } = await guard("ip:9/m", { trust: 1 });
    const answered = ask(port, from("203.0.113.1, ".repeat(8_000))).then(
      ({ status }) => status,
      ({ code }) => code,
    );
    expect([431, "ECONNRESET", "EPIPE"]).toContain(await answered);
    expect([handled(), await statuses(port, 1, from("203.0.113.1"))]).toEqual([0, [200]]);
  });

  check("tells IPv6 from IPv4, also where a socket maps one to the other", async () => {
    const { port } = await guard("ip:1/m", {}, { host: "::" });
    expect(await statuses(port, 2, { host: "127.0.0.1" })).toEqual([200, 429]);
    expect(await statuses(port, 2, { host: "::1" })).toEqual([200, 429]);
  });
});
