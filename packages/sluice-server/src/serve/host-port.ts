/** Where a server listens, as a command line says it. */
import { type AddressInfo, BlockList, isIP } from "node:net";

export interface HostPort {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
}

const LARGEST_PORT = 65_535;
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8);
LOOPBACK.addAddress("::1", "ipv6");

/** `127.0.0.1:6380`, `localhost:0`, `[::1]:8080`; undefined for what is none. */
export function parseHostPort(text: string): HostPort | undefined {
  const [, six, name, port] = /^(?:\[([^\]]+)\]|([^:[\]/\s]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = six ?? name;
  if (host === undefined || (six !== undefined && isIP(six) !== 6) || Number(port) > LARGEST_PORT)
    return undefined;
  return { host, port: Number(port) };
}

export function hostPortText({ host, port }: HostPort): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

export function boundTo({ address, port }: AddressInfo): HostPort {
  return { host: address, port };
}

/** A name other than localhost may stand for anything. */
export function isLoopback({ host }: HostPort): boolean {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === "localhost";
  return LOOPBACK.check(host, family === 6 ? "ipv6" : "ipv4");
}

/** The host by which the same machine reaches it: who listens everywhere is also found here. */
export function reachable({ host }: HostPort): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}
