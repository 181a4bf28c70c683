/** What the page is told, second by second. */
import { expect, test } from "vitest";
import { watch } from "./event-stream.js";
import { serveLive } from "./serve-live.js";

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
      past: [{ at: 99, limits: { login: { allowed: 1, refused: 0 } } }],
      mayChange: true,
    },
  });
  live.tick(101_000);
  expect(await events.next()).toMatchObject({ event: "second", id: "100", data: { at: 100, limits: {} } });
});

test("limits that are new or other are told at once, and nothing of the past again", async () => {
  const { url, live, limits } = await serveLive({ limits: LOGIN });
  live.tick(10_000);
  const events = await watch(url);
  await events.next();
  const config = { namespace: "live", store: { url: "memory" }, tokens: [] };
  limits.replace({ ...config, limits: new Map([["mail", { rule: "user:3/h" }]]) });
  live.reconfigured();
  expect(await events.next()).toMatchObject({
    event: "hello",
    data: { limits: [{ name: "mail" }], past: [] },
  });
});

test("who comes back is told what it missed, and nothing twice", async () => {
  const { url, live } = await serveLive();
  for (const second of [50, 51, 52, 53]) live.tick(second * 1000);
  const events = await watch(url, { "Last-Event-ID": "50" });
  expect(await events.next()).toMatchObject({ data: { past: [{ at: 51 }, { at: 52 }] } });
});

test.each(["", "-1", "1e9", "x", "9".repeat(400)])("a Last-Event-ID of %j is as good as none", async (id) => {
  const { url, live } = await serveLive();
  live.tick(50_000);
  const events = await watch(url, { "Last-Event-ID": id });
  expect(await events.next()).toMatchObject({ data: { past: [{ at: 49 }] } });
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

test("more than a hundred watchers are told to come back", async () => {
  const { url } = await serveLive();
  const streams = [];
  for (let watcher = 0; watcher < 100; watcher += 1) streams.push(await watch(url));
  await expect(watch(url)).rejects.toThrow(/^(503|429)/);
  for (const stream of streams) stream.leave();
});
