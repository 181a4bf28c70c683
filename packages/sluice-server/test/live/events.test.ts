/** What the page is told, second by second. */
import { expect, test, vi } from "vitest";
import { MOST_VISITORS } from "../../src/http/page/live-events.js";
import type { Histories } from "../../src/live/live-messages.js";
import { PAST_SECONDS } from "../../src/live/live-view.js";
import { expectProblem } from "../http/ask.js";
import { watch } from "./event-stream.js";
import { type LiveServer, serveLive } from "./serve-live.js";

const LOGIN = { login: { rule: "user:2/h" } };

test("a visitor is told of the limits and the past, then of every second", async () => {
  const { url, live, limits } = await serveLive({ limits: LOGIN });
  await limits.get("login")!.limiter.consume({ user: "ada" });
  live.tick(100_000);
  const events = await watch(url);
  expect(await events.next()).toMatchObject({
    event: "hello",
    data: {
      version: "1.2.3",
      limits: [{ name: "login", rule: "user:2/h", selectors: ["user"], shadow: false }],
      past: { from: 99 - PAST_SECONDS + 1, seconds: [[PAST_SECONDS - 1, 1, 0]] },
      mayChange: true,
    },
  });
  expect(await events.next()).toMatchObject({
    event: "second",
    data: { at: 99, limits: { login: expect.arrayContaining([1]) } },
  });
  live.tick(101_000);
  expect(await events.next()).toMatchObject({ event: "second", data: { at: 100, limits: {} } });
});

test("limits that are new or other are told at once", async () => {
  const { url, live, limits } = await serveLive({ limits: LOGIN });
  const events = await watch(url);
  await events.next();
  const config = { namespace: "live", store: { url: "memory" }, tokens: [] };
  const mail = new Map([["mail", { rule: "user:3/h" }]]);
  limits.replace({ ...config, limits: mail });
  live.reconfigured(mail);
  expect(await events.next()).toMatchObject({ event: "hello", data: { limits: [{ name: "mail" }] } });
});

test("the past of the limits that somebody looks at is there to be asked for", async () => {
  const { ask, live, limits } = await serveLive({ limits: { ...LOGIN, mail: { rule: "1/h" } } });
  for (const second of [50, 51]) {
    await limits.get("login")!.limiter.consume({ user: "ada" });
    await limits.get("mail")!.limiter.consume();
    live.onRateLimit({ allowed: false, verdicts: [], source: "store" });
    live.tick((second + 1) * 1000);
  }
  const from = 51 - PAST_SECONDS + 1;
  const us = expect.any(Number);
  const question = "GET /live/history?limit=login&limit=gone&limit=login&command=RATELIMIT&limit=__proto__";
  expect((await ask(question)).json).toEqual({
    from,
    to: 51,
    limits: {
      login: [
        [50 - from, 1, 0, 0, 0, 0, us, us],
        [51 - from, 1, 0, 0, 0, 0, us, us],
      ],
    },
    commands: {
      RATELIMIT: [
        [50 - from, 0, 1, 0, 0, 0, 0, 0],
        [51 - from, 0, 1, 0, 0, 0, 0, 0],
      ],
    },
  });
  live.tick(53_000);
  const after = (await ask("GET /live/history?limit=mail")).json as Histories;
  expect(after.to).toBe(52);
  expect(after.limits["mail"]!.map((row) => row.slice(0, 3))).toEqual([
    [49 - from, 1, 0],
    [50 - from, 0, 1],
  ]);
  expect((await ask("GET /live/history")).json).toMatchObject({ limits: {}, commands: {} });
  const many = Array.from({ length: 21 }, (_, index) => `limit=l${index}`).join("&");
  expectProblem(await ask(`GET /live/history?${many}`), { status: 400 });
});

/** A hundred limits that have all been busy for ten minutes: as much as there is to tell. */
async function busy(): Promise<LiveServer & { readonly second: (at: number) => void }> {
  const names = Array.from({ length: 100 }, (_, index) => `a-limit-of-some-length-${index}`);
  const server = await serveLive({
    limits: Object.fromEntries(names.map((name) => [name, { rule: "user:1000/m or ip:5000/h" }])),
  });
  const { live, limits } = server;
  const decision = await limits.get(names[0]!)!.limiter.peek({ user: "ada", ip: "192.0.2.1" });
  function second(at: number): void {
    for (const name of names) {
      const event = { selectors: [], facts: {}, decision, milliseconds: 1 + (at % 100) };
      for (let time = 0; time < 12; time += 1) live.onDecision(name, event);
    }
    live.tick((at + 1) * 1000);
  }
  for (let at = 1_700_000_000; at < 1_700_000_000 + PAST_SECONDS; at += 1) second(at);
  return { ...server, second };
}

test("at a hundred limits and ten minutes, a visitor is sent 32 kB, and 28 kB for each limit looked at", async () => {
  const { url, ask } = await busy();
  const events = await watch(url);
  await events.next();
  await events.next();
  expect(events.bytes).toBeGreaterThan(10_000);
  expect(events.bytes).toBeLessThan(32 * 1024);
  events.leave();
  const { text } = await ask("GET /live/history?limit=a-limit-of-some-length-7");
  expect(text.length).toBeLessThan(28 * 1024);
});

test("everything is written once a second, however many watch", async () => {
  const { url, ask, second } = await busy();
  const written = vi.spyOn(JSON, "stringify");
  const count = (has: string) =>
    written.mock.calls.filter(([value]) => typeof value === "object" && value !== null && has in value)
      .length;
  try {
    const visitors = await Promise.all(Array.from({ length: 20 }, () => watch(url)));
    for (const visitor of visitors) for (const _ of ["hello", "second"]) await visitor.next();
    expect([count("version"), count("store")]).toEqual([1, 1]);
    second(1_700_000_600);
    const told = await Promise.all(visitors.map((visitor) => visitor.next()));
    expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(count("store")).toBe(2);
    written.mockClear();
    for (let time = 0; time < 10; time += 1) await ask("GET /live/history?limit=a-limit-of-some-length-7");
    expect(written.mock.calls.filter(([value]) => Array.isArray(value))).toHaveLength(1);
    for (const visitor of visitors) visitor.leave();
  } finally {
    written.mockRestore();
  }
});

test("all who watch are told the same, and who has left costs nothing", async () => {
  const { url, live } = await serveLive();
  const [one, other] = await Promise.all([watch(url), watch(url)]);
  await Promise.all([one.next(), other.next()]);
  live.tick(10_000);
  expect(await one.next()).toEqual(await other.next());
  one.leave();
  live.tick(11_000);
  expect(await other.next()).toMatchObject({ data: { at: 10 } });
});

test("a server that closes ends the streams at once", async () => {
  const { url, close } = await serveLive();
  const events = await watch(url);
  await events.next();
  const closed = close();
  expect(await events.next()).toBeUndefined();
  await closed;
});

test("so many visitors and no more; when one leaves, another may come", async () => {
  const { url, ask, live } = await serveLive();
  const streams = await Promise.all(Array.from({ length: MOST_VISITORS }, () => watch(url)));
  const refused = await ask("GET /live/events");
  expectProblem(refused, { status: 503, detail: expect.stringContaining(`${MOST_VISITORS} visitors`) });
  expect(refused.headers.get("Retry-After")).toBe("30");
  for (const stream of streams) await stream.next();
  live.tick(10_000);
  for (const stream of streams) expect(await stream.next()).toMatchObject({ event: "second" });
  streams.pop()!.leave();
  // The server finds out when it next writes to him.
  const another = () => {
    live.tick(11_000);
    return watch(url).then(({ leave }) => leave(), String);
  };
  await expect.poll(another, { timeout: 10_000, interval: 500 }).toBeUndefined();
  for (const stream of streams) stream.leave();
});
