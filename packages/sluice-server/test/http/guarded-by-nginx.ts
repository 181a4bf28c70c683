/** What the guide on nginx shows, started as it stands there: nginx, `sluice serve`, and an application behind both. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { blocksOf } from "../../../sluice/test/docs/markdown.js";
import { startSluice } from "../serve/sluice-process.js";
import { type Ask, askAt } from "./ask.js";
import { startNginx } from "./nginx.js";

const BLOCKS = blocksOf("docs/guide/nginx.md");

export interface Application {
  readonly port: number;
  /** What came through to it: method, address, and how much of a body. */
  readonly heard: string[];
  stop(): void;
}

/** Answers with the status that it is asked for. */
export async function startApplication(): Promise<Application> {
  const heard: string[] = [];
  const server = createServer(async (request, response) => {
    let length = 0;
    for await (const chunk of request) length += (chunk as Buffer).length;
    heard.push(`${request.method} ${request.url} ${length}`);
    const status = Number(/status=(\d+)/.exec(request.url ?? "")?.[1] ?? 200);
    response.writeHead(status, { "Content-Type": "text/plain" }).end("the application");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    heard,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Changes = readonly (readonly [before: string, after: string])[];

export interface Guarded {
  readonly ask: Ask;
  /** What nginx complained of. */
  log(): string;
  stopServer(): Promise<void>;
  stop(): Promise<void>;
}

/** With the ports that are free, and with nothing else changed but what is said. */
export async function startGuarded(
  application: Application,
  changes: { readonly yaml?: Changes; readonly nginx?: Changes },
): Promise<Guarded> {
  const server = await startSluice({ config: changed(textOf("yaml"), changes.yaml ?? []) });
  const stopServer = () => server[Symbol.asyncDispose]();
  try {
    const nginx = await startNginx((port) =>
      changed(textOf("nginx"), [
        ["listen 80;", `listen 127.0.0.1:${port};`],
        ["127.0.0.1:8080", `127.0.0.1:${server.httpPort}`],
        ["127.0.0.1:3000", `127.0.0.1:${application.port}`],
        ...(changes.nginx ?? []),
      ]),
    );
    return {
      ask: askAt(`http://127.0.0.1:${nginx.port}`),
      log: nginx.log,
      stopServer,
      async stop() {
        await nginx.stop();
        await stopServer();
      },
    };
  } catch (error) {
    await stopServer();
    throw error;
  }
}

function textOf(language: string): string {
  const [first, ...others] = BLOCKS.filter((block) => block.language === language);
  if (first === undefined || others.length > 0)
    throw new Error(`The guide on nginx has one block of ${language}.`);
  return first.text;
}

function changed(text: string, changes: Changes): string {
  return changes.reduce((written, [before, after]) => {
    if (!written.includes(before)) throw new Error(`The guide on nginx has no ${before}`);
    return written.replaceAll(before, after);
  }, text);
}
