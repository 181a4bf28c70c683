/** Clients that pipeline without pause: another client waits for a bounded number of their commands. */
import { afterEach, expect, test } from "vitest";
import { until } from "../../../sluice/test/redis-servers/until.js";
import { RawClient } from "./raw-client.js";
import { ATOMIC_BACKENDS, type Served } from "./serve.js";

const FLOODERS = 10;
const PROBES = 30;
/** What may wait for the store, and what is answered in one turn of the event loop. */
const [IN_FLIGHT, PER_TURN] = [2_000, 1_024];
/** A probe is read in one turn, answered in another and heard of in a third, with all that is in flight before it. */
const MOST_BEFORE = 3 * (IN_FLIGHT + 3 * PER_TURN);

interface Flood {
  readonly flood: string;
  command(number: number): string;
  /** Whose replies count, and as how many decisions. */
  readonly counted: readonly [command: string, decisions: number];
}

const FLOODS: readonly Flood[] = [
  {
    flood: "decisions",
    command: (number) => `RATELIMIT flood${number % 100} 1 1000000000\r\n`,
    counted: ["RATELIMIT", 1],
  },
  {
    flood: "timestamps",
    command: (number) => `RATELIMIT flood${number % 100} 1 10000 ${number}000\r\n`,
    counted: ["RATELIMIT", 1],
  },
  {
    flood: "named limits",
    command: (number) => `SLUICE.CONSUME all user ${number % 100}\r\n`,
    counted: ["SLUICE.CONSUME", 1],
  },
  {
    flood: "transactions",
    command: () => `MULTI\r\n${"RATELIMIT flood 1 1000\r\n".repeat(100)}EXEC\r\n`,
    counted: ["EXEC", 100],
  },
];

/** Not on a Cluster, whose nodes answer in no common order. */
const TRIALS = ATOMIC_BACKENDS.flatMap((backend) => FLOODS.map((flood) => ({ ...backend, ...flood })));

let served: Served;
let clients: RawClient[] = [];
afterEach(async () => {
  for (const client of clients) client.close();
  clients = [];
  await served.close();
});

function open(): RawClient {
  const client = new RawClient(served.port);
  clients.push(client);
  return client;
}

/** Always has more to send than the server takes. */
function flood(command: (number: number) => string): void {
  const { socket } = open();
  socket.removeAllListeners("data");
  socket.resume();
  let bytes = "";
  for (let number = 0; bytes.length < 500_000; number += 1) bytes += command(number);
  const send = () => {
    if (!socket.destroyed) socket.write(bytes, send);
  };
  send();
}

test.each(TRIALS)("on $name, a flood of $flood", async ({ serve, command, counted }) => {
  let answered = 0;
  const onCommand = (name: string) => {
    if (name === counted[0]) answered += counted[1];
  };
  served = await serve({ limits: { all: "user:100/s gcra" }, onCommand });
  const probe = open();
  await probe.ask("PING");
  for (let number = 0; number < FLOODERS; number += 1) flood(command);
  await until("the flood is there", () => answered > 20_000);
  const waits: number[] = [];
  for (let number = 0; number < PROBES; number += 1) {
    const before = answered;
    expect(await probe.ask("RATELIMIT", `probe${number}`, "1000", "5000")).toEqual([1, 4, 0, 1000]);
    waits.push(answered - before);
  }
  expect(Math.max(...waits)).toBeLessThan(MOST_BEFORE);
});
