/** Where a server listens, as a command line says it. */
import { BlockList, isIP } from "node:net";
import { UsageError } from "../usage-error.js";

export interface HostPort {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
}

const LARGEST_PORT = 65_535;
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8);
LOOPBACK.addAddress("::1", "ipv6");

/** `127.0.0.1:6380`, `localhost:0`, `[::1]:8080`. */
export function parseHostPort(option: string, text: string): HostPort {
  const [, six, name, port] = /^(?:\[([^\]]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = six ?? name;
  if (host === undefined || (six !== undefined && isIP(six) !== 6) || Number(port) > LARGEST_PORT) {
    throw new UsageError(
      `${option} takes HOST:PORT, such as 127.0.0.1:6380 or [::1]:6380, and this is ${JSON.stringify(text)}.`,
    );
  }
  return { host, port: Number(port) };
}

export function hostPortText({ host, port }: HostPort): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** A name other than localhost may stand for anything. */
export function isLoopback({ host }: HostPort): boolean {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === "localhost";
  return LOOPBACK.check(host, family === 6 ? "ipv6" : "ipv4");
}
