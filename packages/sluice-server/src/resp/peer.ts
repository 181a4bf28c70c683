/** What a connection has said of itself. */
import type { Protocol } from "./wire/reply.js";

export interface Peer {
  readonly id: number;
  /** Host and port of the other end. */
  readonly address: string;
  readonly openedAt: number;
  protocol: Protocol;
  authenticated: boolean;
  name: string;
  libraryName: string;
  libraryVersion: string;
  /** Set by a command after whose reply the connection is closed. */
  ends: boolean;
}

let latestId = 0;

export function createPeer(address: string): Peer {
  latestId += 1;
  return { id: latestId, address, openedAt: Date.now(), ...FRESH };
}

const FRESH = {
  protocol: 2,
  authenticated: false,
  name: "",
  libraryName: "",
  libraryVersion: "",
  ends: false,
} as const;

/** As if it had just connected. */
export function forgetAll(peer: Peer): void {
  Object.assign(peer, FRESH);
}
