/** Real servers on loopback, and requests to them. */
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/** To be called at the top of a test file: servers that are closed after it. */
export function servers() {
  const opened: Server[] = [];
  afterAll(async () => {
    for (const server of opened) {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    }
  });
  return {
    /** The address at which the handler answers. */
    async serve(handler: RequestListener): Promise<string> {
      const server = createServer(handler);
      opened.push(server);
      await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
  };
}

/** One after the other. */
export async function statuses(
  url: string,
  times: number,
  headers: Record<string, string> = {},
): Promise<number[]> {
  const found: number[] = [];
  for (let time = 0; time < times; time += 1) found.push((await get(url, headers)).status);
  return found;
}

/** All at once, in turns to each address; how many were answered with each status. */
export async function tally(urls: readonly string[], times: number): Promise<Record<number, number>> {
  const requests = Array.from({ length: times }, (_, time) => get(urls[time % urls.length]!));
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(requests)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** With the body read, so that the connection is free again. */
export async function get(url: string, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(url, { headers });
  await response.text();
  return response;
}
