/** Ranges of addresses, by name or as CIDR text, for the proxies that are trusted. */
import { BadOption, shown } from "../../errors.js";
import { type Address, isIpv4, parseAddress, parseWhole } from "./address.js";
import { masked } from "./address-text.js";

interface Range {
  readonly network: Address;
  readonly bits: number;
}

/** No address out there is in them: what only the machine itself, and only its own networks, can be. */
const NAMED: { readonly [name: string]: readonly string[] } = {
  loopback: ["127.0.0.0/8", "::1"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10"],
};

/** Whether an address is in one of the ranges. A range that cannot be read throws here. */
export function parseRanges(texts: readonly string[]): (address: Address) => boolean {
  const ranges = texts.flatMap((text) =>
    namesRange(text) ? NAMED[text]!.map(parseRange) : parseRange(text),
  );
  return (address) => {
    for (const range of ranges) if (contains(range, address)) return true;
    return false;
  };
}

function namesRange(text: string): boolean {
  return typeof text === "string" && Object.hasOwn(NAMED, text);
}

function parseRange(text: string): Range {
  const [address = "", prefix, ...more] = String(text).split("/");
  const parsed = parseAddress(address);
  if (parsed === undefined || more.length > 0) throw badRange(text);
  const size = parsed.length * 16;
  /** IPv4 that was written as IPv6 has its prefix counted as IPv6. */
  const mapped = isIpv4(parsed) && address.includes(":") ? 96 : 0;
  const bits = prefix === undefined ? size : (parseWhole(prefix, size + mapped) ?? -1) - mapped;
  if (bits < 0) throw badRange(text);
  if (bits === 0) {
    throw new BadOption(
      `trust contains ${shown(text)}, which is everybody: clients could choose their own address.`,
    );
  }
  return { network: masked(parsed, bits), bits };
}

function contains({ network, bits }: Range, address: Address): boolean {
  if (network.length !== address.length) return false;
  for (let index = 0; index * 16 < bits; index += 1) {
    const kept = Math.min(16, bits - 16 * index);
    if ((network[index]! ^ address[index]!) >> (16 - kept) !== 0) return false;
  }
  return true;
}

function badRange(text: unknown): BadOption {
  const names = Object.keys(NAMED).map(shown).join(", ");
  return new BadOption(
    `trust lists addresses, ranges such as "10.0.0.0/8", ${names}, and ${shown(text)} is none of these.`,
  );
}
