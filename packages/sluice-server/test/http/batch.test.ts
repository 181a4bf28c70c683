/** Many questions in one request: answered in their order, decided together, and each for itself. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectProblem } from "./ask.js";
import { BACKENDS, type Served, serveOnRedis } from "./serve.js";

const LIMITS = { user: "user:3/h gcra", all: "2/h gcra" };

interface Answered {
  readonly answers: readonly { readonly decision?: unknown; readonly problem?: unknown }[];
}

describe.each(BACKENDS)("on $name", ({ serve }) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve({ limits: LIMITS });
  });
  afterAll(() => served.close());

  async function batch(...requests: readonly object[]): Promise<Answered["answers"]> {
    const { status, json } = await served.ask("POST /v1/batch", { body: { requests } });
    expect(status).toBe(200);
    return (json as Answered).answers;
  }

  test("answers come in the order of the questions, and one counts before the next", async () => {
    const [ada, bob] = [{ user: "ada" }, { user: "bob" }];
    expect(
      await batch(
        { limit: "user", facts: ada },
        { limit: "user", facts: bob, cost: 3 },
        { limit: "user", facts: ada, action: "consume", cost: 2 },
        { limit: "user", facts: ada },
        { limit: "user", facts: bob, action: "refund", cost: 2 },
        { limit: "user", facts: bob, action: "peek" },
        { limit: "user", facts: ada, action: "reset" },
        { limit: "user", facts: ada, action: "peek" },
      ),
    ).toMatchObject([
      { decision: { allowed: true, remaining: 2 } },
      { decision: { allowed: true, remaining: 0 } },
      { decision: { allowed: true, remaining: 0 } },
      { decision: { allowed: false, remaining: 0 } },
      { decision: null },
      { decision: { allowed: true, remaining: 2 } },
      { decision: null },
      { decision: { allowed: true, remaining: 3 } },
    ]);
  });

  test("a mistake in one is the answer to that one", async () => {
    const answers = await batch(
      { limit: "nobody's" },
      { limit: "user", facts: { user: "eve" } },
      { limit: "user", facts: { usr: "eve" } },
      { limit: "user", facts: { user: "eve" }, action: "reset", cost: 2 },
      { limit: "__proto__" },
      { limit: "user", facts: { user: "eve" } },
    );
    expect(answers).toEqual([
      { problem: expect.objectContaining({ status: 404, title: "Not Found" }) },
      { decision: expect.objectContaining({ allowed: true, remaining: 2 }) },
      { problem: expect.objectContaining({ status: 400, code: "SLUICE_MISSING_SELECTOR" }) },
      { problem: expect.objectContaining({ status: 400 }) },
      { problem: expect.objectContaining({ status: 404 }) },
      { decision: expect.objectContaining({ allowed: true, remaining: 1 }) },
    ]);
  });

  test.each([
    ["no requests", { requests: [] }],
    ["too many", { requests: Array.from({ length: 1_001 }, () => ({ limit: "all" })) }],
    ["none at all", {}],
    ["an action that is none", { requests: [{ limit: "all" }, { limit: "all", action: "forget" }] }],
    ["a cost that is none", { requests: [{ limit: "all" }, { limit: "all", cost: 0 }] }],
    ["a name that is none", { requests: [{ limit: "all" }, { limit: "all", costs: 1 }] }],
  ])("what cannot be read at all is refused as a whole, and nothing is counted: %s", async (_, body) => {
    const answer = await served.ask("POST /v1/batch", { body });
    expect(answer.status).toBe(400);
    expectProblem(answer, {});
    expect(await batch({ limit: "all", action: "peek" })).toMatchObject([{ decision: { remaining: 2 } }]);
  });

  test("a thousand", async () => {
    const requests = Array.from({ length: 1_000 }, (_, user) => ({ limit: "user", facts: { user } }));
    const answers = await batch(...requests);
    expect(answers.length).toBe(1_000);
    for (const answer of answers) expect(answer).toMatchObject({ decision: { allowed: true, remaining: 2 } });
  });
});

test("on Redis, a hundred are one script call", async () => {
  const served = await serveOnRedis({ limits: LIMITS });
  const requests = Array.from({ length: 100 }, (_, user) => ({ limit: "user", facts: { user } }));
  await served.ask("POST /v1/batch", { body: { requests: requests.slice(0, 1) } });
  const before = served.store.health().batches;
  await served.ask("POST /v1/batch", { body: { requests } });
  expect(served.store.health().batches - before).toBe(1);
  await served.close();
});
