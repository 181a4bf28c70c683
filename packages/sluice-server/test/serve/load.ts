/** Load on both surfaces of a server, with the answer and the time of every call. */
import { Redis } from "ioredis";
import { type Span, watchStarvation } from "../../../sluice/test/redis-failures/starvation.js";
import { watchLag } from "../lag.js";
import type { Sluice } from "./sluice-process.js";
import { watchStarvationOf } from "./starvation-of.js";

/** The default of a store. */
export const DEADLINE_MS = 250;

export interface Call {
  readonly way: "RATELIMIT" | "SLUICE.CONSUME" | "http";
  /** An error reply is the error. */
  readonly answer: unknown;
  /** But for the measured starvation of both processes. */
  readonly tookMs: number;
  /** How long the server took meanwhile for what asks no store, over RESP and HTTP together. */
  readonly lagMs: number;
}

type Asked = Omit<Call, "tookMs" | "lagMs"> & { readonly span: Span };

/** Of each of both commands. */
const COMMANDS_AT_ONCE = 25;
const HTTP_AT_ONCE = 10;

let users = 0;

export class Load implements Disposable {
  readonly #client: Redis;

  constructor(readonly server: Sluice) {
    this.#client = new Redis({ port: server.respPort, maxRetriesPerRequest: 0 });
  }

  /** Many calls at once. */
  async round(): Promise<readonly Call[]> {
    const lags = [
      watchLag(() => this.#command("PING")),
      watchLag(async () => (await this.server.fetch("/healthz")).text()),
    ];
    const watches = [watchStarvation(), watchStarvationOf(this.server.pid)];
    const commands = Array.from({ length: COMMANDS_AT_ONCE }, () => [
      timed("RATELIMIT", (user) => this.#command("RATELIMIT", user, "1000000000", "5000000000")),
      timed("SLUICE.CONSUME", (user) => this.#command("SLUICE.CONSUME", "each", "user", user)),
    ]);
    const http = Array.from({ length: HTTP_AT_ONCE }, () => timed("http", (user) => this.#post(user)));
    const asked = await Promise.all([...commands.flat(), ...http]);
    const delays = watches.map((watch) => watch.stop());
    const lagMs = (await Promise.all(lags.map((lag) => lag.stop()))).reduce((sum, lag) => sum + lag);
    return asked.map(({ span, ...call }) => {
      const delayMs = delays.reduce((sum, delayOf) => sum + delayOf(span), 0);
      return { ...call, lagMs, tookMs: span.end - span.start - delayMs };
    });
  }

  #command(name: string, ...args: readonly string[]): Promise<unknown> {
    return this.#client.call(name, [...args]).catch((error: unknown) => error);
  }

  async #post(user: string): Promise<unknown> {
    const response = await this.server.post("/v1/limits/each/consume", { facts: { user } });
    return { status: response.status, ...((await response.json()) as object) };
  }

  [Symbol.dispose](): void {
    this.#client.disconnect();
  }
}

/** Everyone is new, so that what is answered depends on nothing else. */
async function timed(way: Call["way"], ask: (user: string) => Promise<unknown>): Promise<Asked> {
  users += 1;
  const start = performance.now();
  const answer = await ask(`${users}`);
  return { way, answer, span: { start, due: start + DEADLINE_MS, end: performance.now() } };
}
