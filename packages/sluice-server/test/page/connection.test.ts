/** One live connection: how it reads, gives up, waits and comes back. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type ConnectionState, LiveConnection } from "../../page/live/connection.js";
import { pauseAfter } from "../../page/live/pause.js";
import { RefusedByServer, TokenNeeded } from "../../page/server/failures.js";
import type { Second } from "../../src/live/live-messages.js";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const second = (at: number): Second => ({
  at,
  limits: {},
  commands: {},
  store: { describe: "memory", breaker: undefined, waiting: undefined, keys: 0, failures: 0 },
});

const hello = (version: string) => `event: hello\ndata: ${JSON.stringify({ version })}\n\n`;
const tick = (at: number) => `event: second\ndata: ${JSON.stringify(second(at))}\n\n`;

/** A server of which each connection is one function. */
function connected(...answers: readonly ((send: ReadableStreamDefaultController<Uint8Array>) => void)[]) {
  let asked = 0;
  const states: ConnectionState[] = [];
  const seen: (number | string)[] = [];
  const connection = new LiveConnection({
    async open(signal) {
      const answer = answers[asked];
      asked += 1;
      if (answer === undefined) throw new TypeError("fetch failed");
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          signal.addEventListener("abort", () => controller.error(new Error("aborted")));
          answer(controller);
        },
      });
      return new Response(body);
    },
    onHello: ({ version }) => seen.push(version),
    onSecond: ({ at }) => seen.push(at),
    onState: (state) => states.push(state),
    random: () => 1,
  });
  return { connection, asked: () => asked, states, seen, kinds: () => states.map(({ kind }) => kind) };
}

const bytes = (text: string) => new TextEncoder().encode(text);
const settle = () => vi.advanceTimersByTimeAsync(0);

test("begins anew after a pause", async () => {
  const { connection, asked, seen, kinds } = connected(
    (send) => {
      send.enqueue(bytes(hello("a") + tick(5)));
      send.close();
    },
    (send) => send.enqueue(bytes(hello("b") + tick(8))),
  );
  connection.start();
  await settle();
  expect(asked()).toBe(1);
  await vi.advanceTimersByTimeAsync(500);
  expect(asked()).toBe(2);
  expect(seen).toEqual(["a", 5, "b", 8]);
  expect(kinds()).toEqual(["connecting", "live", "waiting", "connecting", "live"]);
  connection.stop("paused");
});

test("a line that is silent is given up, and nothing is read from it any more", async () => {
  const { connection, asked, kinds } = connected((send) => send.enqueue(bytes(hello("a"))));
  connection.start();
  await vi.advanceTimersByTimeAsync(9_999);
  expect(kinds()).toEqual(["connecting", "live"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(kinds()).toEqual(["connecting", "live", "waiting"]);
  await vi.advanceTimersByTimeAsync(500);
  expect(asked()).toBe(2);
  connection.stop("paused");
});

test("pauses grow to a bound while nobody answers, and begin small again after an answer", async () => {
  const { connection, states } = connected();
  connection.start();
  await vi.advanceTimersByTimeAsync(120_000);
  const pauses = states.flatMap((state) => (state.kind === "waiting" ? [state.pauseMs] : []));
  expect(pauses.slice(0, 8)).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
  connection.stop("paused");
});

test.each([0, 1, 5, 50, 1e9])(
  "after %d failures, it waits between half of the pause and all of it",
  (failures) => {
    const [shortest, longest] = [pauseAfter(failures, 0), pauseAfter(failures, 1)];
    expect(shortest).toBe(longest / 2);
    expect(longest).toBeLessThanOrEqual(15_000);
  },
);

test("waits as long as the server asks it to", async () => {
  const states: ConnectionState[] = [];
  const connection = new LiveConnection({
    open: () => Promise.reject(new RefusedByServer("This address asks too often.", 429, 30_000)),
    onHello() {},
    onSecond() {},
    onState: (state) => states.push(state),
  });
  connection.start();
  await settle();
  expect(states.at(-1)).toEqual({ kind: "waiting", pauseMs: 30_000, why: "This address asks too often." });
  connection.stop("paused");
});

test("stops where a token is needed, and when told to", async () => {
  const states: ConnectionState[] = [];
  const connection = new LiveConnection({
    open: () => Promise.reject(new TokenNeeded()),
    onHello() {},
    onSecond() {},
    onState: (state) => states.push(state),
  });
  connection.start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(states.map(({ kind }) => kind)).toEqual(["connecting", "needs token"]);
  expect(connection.isRunning).toBe(false);

  const other = connected((send) => send.enqueue(bytes(hello("a"))));
  other.connection.start();
  await settle();
  other.connection.stop("paused");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(other.kinds()).toEqual(["connecting", "live", "paused"]);
  expect(other.asked()).toBe(1);
});
