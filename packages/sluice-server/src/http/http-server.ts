/** The HTTP surface: listens, and closes when what it was asked is answered. */
import type { AddressInfo } from "node:net";
import { type AppOptions, createHttpApp } from "./http-app.js";
import { createNodeServer } from "./node-server.js";
import { DEFAULT_PATIENCE, type Patience } from "./patience.js";

export interface HttpOptions extends AppOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly patience?: Patience | undefined;
}

export interface HttpServer {
  readonly address: AddressInfo;
  /** Answers what has been asked, then closes; after `patience.goodbyeMs` whatever happens. */
  close(): Promise<void>;
}

export async function listenHttp(options: HttpOptions): Promise<HttpServer> {
  const { host, port, patience = DEFAULT_PATIENCE } = options;
  const { server, connections } = createNodeServer(patience);
  const hosts = () => [host, ...(options.hosts?.() ?? [])];
  const app = createHttpApp({ ...options, hosts }, (listener) =>
    server.on("request", connections.watching(listener)),
  );
  await app.listen({ host, port });

  async function closeAll(): Promise<void> {
    const late = setTimeout(() => server.closeAllConnections(), patience.goodbyeMs);
    connections.finish();
    await app.close();
    clearTimeout(late);
  }

  let closing: Promise<void> | undefined;
  return {
    address: server.address() as AddressInfo,
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}
