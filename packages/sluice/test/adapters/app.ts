/** What every adapter is tested as: a small server with gates before one handler, in its framework's own words. */
import type { Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { GateLimit, GateOptions } from "../../src/http/gate/options.js";

/** What all adapters take. Functions of the request read it by what all requests have in common. */
export type CommonOptions = GateOptions<unknown, unknown>;

export interface GateSetup {
  readonly limit: GateLimit;
  readonly options?: CommonOptions;
}

export interface Reply {
  readonly status?: number;
  /** In pieces, or whole. */
  readonly body?: string | AsyncIterable<string>;
}

export interface Setup {
  /** From the outermost to the innermost. */
  readonly gates: readonly GateSetup[];
  readonly handle: () => Reply | Promise<Reply>;
  /** Told what comes to the framework's own handler of errors, which then answers 500. */
  readonly onError: (error: unknown) => void;
  readonly host: string;
}

export interface RunningApp {
  readonly port: number;
  close(): Promise<void>;
}

export interface AppUnderTest {
  readonly name: string;
  start(setup: Setup): Promise<RunningApp>;
  /** What cannot be the same here, by the name of the test, and why. */
  readonly differs?: Readonly<Record<string, string>>;
}

export const PATH = "/hello";

export async function listening(server: Server, host: string): Promise<RunningApp> {
  await new Promise<void>((done) => server.listen(0, host, done));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** For frameworks that let a handler write to Node's response. */
export async function writeReply(response: ServerResponse, { status = 200, body = "hello" }: Reply) {
  response.statusCode = status;
  if (typeof body === "string") return response.end(body);
  for await (const chunk of body) response.write(chunk);
  response.end();
}

export function fetchReply({ status = 200, body = "hello" }: Reply): Response {
  return new Response(typeof body === "string" ? body : streamOf(body), { status });
}

function streamOf(pieces: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
