/** Requests to a server on loopback, down to the one that is given up halfway. */
import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  request,
} from "node:http";
import { PATH } from "./app.js";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Whether it came over a connection that had served before. */
  readonly reused: boolean;
}

export interface Asked extends RequestOptions {
  readonly body?: string;
}

/** Rejects where the connection breaks before the end. */
export async function ask(port: number, asked: Asked = {}): Promise<Answer> {
  const { sent, response: answered } = begin(port, asked);
  const response = await answered;
  let body = "";
  for await (const chunk of response.setEncoding("utf8")) body += chunk;
  return { status: response.statusCode!, headers: response.headers, body, reused: sent.reusedSocket };
}

/** One after the other. */
export async function statuses(port: number, requests: number, asked?: Asked): Promise<readonly number[]> {
  const found: number[] = [];
  for (let count = 0; count < requests; count += 1) found.push((await ask(port, asked)).status);
  return found;
}

/** A request whose response is left to the caller. */
export function begin(port: number, { body, ...asked }: Asked = {}) {
  const sent: ClientRequest = request({ host: "127.0.0.1", port, path: PATH, agent: false, ...asked });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve);
    sent.once("error", reject);
  });
  response.catch(() => undefined);
  sent.end(body);
  return { sent, response };
}

export function once<T = void>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
