/** The cost that is known after the answer, however the answer ends: the same through every adapter. */
import { expect, vi } from "vitest";
import type { SettledResponse } from "../../src/http/gate/settlement.js";
import type { Reply } from "./app.js";
import { ask, begin, once, statuses } from "./ask.js";
import { forEveryApp } from "./every-app.js";

/** A settle function that remembers what it was told. */
function ledger(costOf: (response: SettledResponse) => number) {
  const told: { readonly status: number; readonly aborted: boolean }[] = [];
  return {
    told,
    settle(response: SettledResponse) {
      told.push({ status: response.status, aborted: response.aborted });
      return costOf(response);
    },
    settled: (times: number) => vi.waitFor(() => expect(told).toHaveLength(times), { interval: 1 }),
  };
}

/** A body whose second piece waits. */
function slowBody() {
  const rest = once();
  async function* pieces() {
    yield "one";
    await rest.promise;
    yield "two";
  }
  return { rest, body: pieces() };
}

const FREE = { headers: { "x-free": "yes" } };

forEveryApp(({ check, serve, guard }) => {
  check("counts only what failed", async () => {
    const { settle, settled, told } = ledger(({ status }) => (status === 401 ? 1 : 0));
    let status = 200;
    const { port } = await guard("ip:2/m", { settle }, { handle: () => ({ status }) });
    for (let login = 1; login <= 3; login += 1) {
      expect(await statuses(port, 1)).toEqual([200]);
      await settled(login);
    }
    status = 401;
    for (let login = 4; login <= 5; login += 1) {
      expect(await statuses(port, 1)).toEqual([401]);
      await settled(login);
    }
    expect(await statuses(port, 2)).toEqual([429, 429]);
    expect(told.slice(2, 4)).toEqual([
      { status: 200, aborted: false },
      { status: 401, aborted: false },
    ]);
    await settled(5);
  });

  check("charges what an answer has cost beyond what was reserved", async () => {
    const { settle, settled } = ledger(() => 5);
    const { port } = await guard("ip:10/m", { settle });
    for (let request = 1; request <= 2; request += 1) {
      expect((await ask(port)).status).toBe(200);
      await settled(request);
    }
    expect((await ask(port)).status).toBe(429);
  });

  check("settles a request whose handler throws", async () => {
    const { settle, settled, told } = ledger(() => 0);
    const error = new Error("broken");
    const handle = () => {
      throw error;
    };
    const { port, errors } = await guard("ip:1/m", { settle }, { handle });
    expect((await ask(port)).status).toBe(500);
    await settled(1);
    expect(told).toEqual([{ status: 500, aborted: false }]);
    expect(errors).toEqual([error]);
    expect((await ask(port)).status).toBe(500);
  });

  check("settles each of two gates once", async () => {
    const [outer, inner] = [ledger(() => 0), ledger(() => 1)];
    const { port } = await serve([
      { limit: "ip:1/m", options: { settle: outer.settle } },
      { limit: "ip:2/m", options: { settle: inner.settle } },
    ]);
    for (const request of [1, 2]) {
      expect((await ask(port)).status).toBe(200);
      await Promise.all([outer.settled(request), inner.settled(request)]);
    }
    expect((await ask(port)).status).toBe(429);
  });

  check("settles nothing of what is refused or skipped", async () => {
    const { settle, settled, told } = ledger(() => 1);
    const skip = (_: unknown, request: { header(name: string): string | undefined }) =>
      request.header("x-free") === "yes";
    const { port } = await guard("ip:1/m", { settle, skip });
    expect(await statuses(port, 2)).toEqual([200, 429]);
    expect(await statuses(port, 1, FREE)).toEqual([200]);
    await settled(1);
    expect(told).toHaveLength(1);
  });

  check("settles what its client gave up before there was an answer, as aborted", async () => {
    const { settle, settled, told } = ledger(({ aborted }) => (aborted ? 0 : 1));
    const asked = once();
    const answer = once<Reply>();
    let waits = true;
    const handle = () => {
      if (!waits) return {};
      waits = false;
      asked.resolve();
      return answer.promise;
    };
    const skip = (_: unknown, request: { header(name: string): string | undefined }) =>
      request.header("x-free") === "yes";
    const { port } = await guard("ip:1/m", { settle, skip }, { handle });
    const { sent, response } = begin(port);
    await asked.promise;
    sent.destroy();
    await expect(response).rejects.toThrow();
    /** By then the server knows that the first one is gone. */
    await statuses(port, 2, FREE);
    answer.resolve({});
    await settled(1);
    expect(told).toEqual([expect.objectContaining({ aborted: true })]);
    expect((await ask(port)).status).toBe(200);
  });

  check("settles a streamed answer at its end", async () => {
    const { settle, settled, told } = ledger(() => 1);
    const { rest, body } = slowBody();
    const { port } = await guard("ip:9/m", { settle }, { handle: () => ({ body }) });
    const response = await begin(port).response;
    const pieces = response.setEncoding("utf8")[Symbol.asyncIterator]();
    expect(await pieces.next()).toEqual({ done: false, value: "one" });
    expect(told).toEqual([]);
    rest.resolve();
    expect(await pieces.next()).toEqual({ done: false, value: "two" });
    expect(await pieces.next()).toEqual({ done: true, value: undefined });
    await settled(1);
    expect(told).toEqual([{ status: 200, aborted: false }]);
    expect(response.headers["ratelimit"]).toBe('"ip:9/m";r=8;t=60');
  });

  check("settles a streamed answer that its client left, as aborted", async () => {
    const { settle, settled, told } = ledger(() => 0);
    const { rest, body } = slowBody();
    const { port } = await guard("ip:1/m", { settle }, { handle: () => ({ body }) });
    const { sent, response } = begin(port);
    await (await response).setEncoding("utf8")[Symbol.asyncIterator]().next();
    sent.destroy();
    await settled(1);
    expect(told).toEqual([{ status: 200, aborted: true }]);
    rest.resolve();
  });
});
