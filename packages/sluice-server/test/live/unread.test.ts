/** A visitor who does not read is cut off before much has been kept for him. */
import { channel } from "node:diagnostics_channel";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { MOST_UNREAD_BYTES } from "../../src/http/page/live-events.js";
import { watch } from "./event-stream.js";
import { serveLive } from "./serve-live.js";

const MOST_TICKS = 100_000;

test("is cut off with bounded bytes unread, and who reads is not", async () => {
  const started = channel("http.server.request.start");
  const responses: ServerResponse[] = [];
  const noted = (message: unknown) => responses.push((message as { response: ServerResponse }).response);
  started.subscribe(noted);
  onTestFinished(() => void started.unsubscribe(noted));
  const names = Array.from({ length: 200 }, (_, index) => `${index}`.padStart(64, "x"));
  const server = await serveLive({ limits: { login: { rule: "user:1/h" } } });
  const { live, limits, url } = server;
  const decision = await limits.get("login")!.limiter.peek({ user: "ada" });

  const lazy = connect(Number(new URL(url).port), "127.0.0.1").pause();
  onTestFinished(() => void lazy.destroy());
  await once(lazy, "connect");
  lazy.write("GET /live/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await expect.poll(() => responses.length).toBe(1);
  const [slow] = responses;
  await expect.poll(() => slow!.headersSent).toBe(true);
  const eager = await watch(url);
  await eager.next();

  let [most, largest, at] = [0, 0, 1_700_000_000];
  for (; !slow!.destroyed && at < 1_700_000_000 + MOST_TICKS; at += 1) {
    for (const name of names) live.onDecision(name, { selectors: [], facts: {}, decision, milliseconds: 1 });
    const before = slow!.writableLength;
    live.tick((at + 1) * 1000);
    most = Math.max(most, slow!.writableLength);
    largest = Math.max(largest, slow!.writableLength - before);
    expect(await eager.next()).toMatchObject({ event: "second", data: { at } });
  }
  expect(slow!.destroyed).toBe(true);
  expect(most).toBeGreaterThan(MOST_UNREAD_BYTES);
  expect(most).toBeLessThanOrEqual(MOST_UNREAD_BYTES + largest);
  expect(largest).toBeLessThan(32 * 1024);
  eager.leave();
});
