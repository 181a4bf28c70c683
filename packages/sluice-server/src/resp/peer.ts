/** What a connection has said of itself. */
import type { Protocol } from "./wire/reply.js";

export interface Peer {
  readonly id: number;
  /** Address of the other end. */
  readonly host: string;
  /** Host and port of the other end. */
  readonly address: string;
  /** Host and port of this end. */
  readonly localAddress: string;
  readonly openedAt: number;
  protocol: Protocol;
  /** The token of the configuration that it has shown. */
  token: string | undefined;
  /** Since MULTI. */
  transaction: Transaction | undefined;
  name: string;
  libraryName: string;
  libraryVersion: string;
  /** Set by a command after whose reply the connection is closed. */
  ends: boolean;
}

/** What is queued between MULTI and EXEC. */
export interface Transaction {
  commands: (readonly string[])[];
  bytes: number;
  /** Of all commands together. */
  weight: number;
  /** A command could not be queued, so that EXEC runs none. */
  aborted: boolean;
}

let latestId = 0;

export function createPeer(host: string, port: number, localAddress: string): Peer {
  latestId += 1;
  return { id: latestId, host, address: `${host}:${port}`, localAddress, openedAt: Date.now(), ...FRESH };
}

const FRESH = {
  protocol: 2,
  token: undefined,
  transaction: undefined,
  name: "",
  libraryName: "",
  libraryVersion: "",
  ends: false,
} as const;

/** As if it had just connected. */
export function forgetAll(peer: Peer): void {
  Object.assign(peer, FRESH);
}

/** Not authenticated, or by a token that the configuration no longer has. */
export function isStranger({ token }: Peer, tokens: readonly string[]): boolean {
  return tokens.length > 0 && (token === undefined || !tokens.includes(token));
}
