/** An address as the text that a client is counted by. */
import { type Address, isIpv4 } from "./address.js";

/**
 * IPv4 by the address. IPv6 by its network, since whoever has one address has all of its network: with a prefix of
 * 56, `2001:db8:0:100::/56`. What a translator puts into 64:ff9b::/96 stays IPv6 and is counted whole: its last 32
 * bits are one IPv4 host, and a prefix would make all of IPv4 one client.
 */
export function identityOf(address: Address, ipv6Prefix: number): string {
  if (isIpv4(address) || ipv6Prefix === 128 || isTranslated(address)) return addressText(address);
  return `${addressText(masked(address, ipv6Prefix))}/${ipv6Prefix}`;
}

/** The canonical form (RFC 5952). */
export function addressText(address: Address): string {
  return isIpv4(address) ? ipv4Text(address) : ipv6Text(address);
}

/** The first bits of an address; the others are 0. */
export function masked(address: Address, bits: number): Address {
  return address.map((group, index) => {
    const kept = Math.min(16, Math.max(0, bits - 16 * index));
    return group & (0xffff << (16 - kept)) & 0xffff;
  });
}

/** 64:ff9b::/96, the well-known prefix of NAT64 (RFC 6052). */
function isTranslated(address: Address): boolean {
  if (address[0] !== 0x64 || address[1] !== 0xff9b) return false;
  return address.slice(2, 6).every((group) => group === 0);
}

function ipv4Text([high = 0, low = 0]: Address): string {
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

function ipv6Text(address: Address): string {
  const hex = address.map((group) => group.toString(16));
  const { start, length } = longestZeros(address);
  if (length < 2) return hex.join(":");
  return `${hex.slice(0, start).join(":")}::${hex.slice(start + length).join(":")}`;
}

/** The first of the longest runs of zeros. */
function longestZeros(address: Address): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (let index = 0; index <= address.length; index += 1) {
    if (address[index] === 0) continue;
    if (index - start > best.length) best = { start, length: index - start };
    start = index + 1;
  }
  return best;
}
