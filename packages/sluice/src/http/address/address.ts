/** Network addresses as numbers, so that two spellings of one address are one client. */

/** Groups of 16 bits: two for IPv4, eight for IPv6. IPv4 inside ::ffff:0:0/96, however spelt, is IPv4. */
export type Address = readonly number[];

const IPV6_GROUPS = 8;
/** Longer than any address with a zone; what is longer is not looked at. */
const LONGEST_TEXT = 100;

const DOT = 46;
const COLON = 58;

export function isIpv4(address: Address): boolean {
  return address.length === 2;
}

/** Strict: no leading zeros, no missing parts, no space. A zone id (`%eth0`) is dropped. Loops, as each request asks. */
export function parseAddress(text: string): Address | undefined {
  if (text.length > LONGEST_TEXT) return undefined;
  if (!text.includes(":")) return parseIpv4(text, 0);
  const groups = parseIpv6(withoutZone(text));
  return groups !== undefined && isMapped(groups) ? groups.slice(6) : groups;
}

function withoutZone(text: string): string {
  const percent = text.indexOf("%");
  if (percent < 0) return text;
  return /^[\w.~-]+$/.test(text.slice(percent + 1)) ? text.slice(0, percent) : "";
}

/** ::ffff:0:0/96 */
function isMapped(groups: Address): boolean {
  for (let index = 0; index < 5; index += 1) if (groups[index] !== 0) return false;
  return groups[5] === 0xffff;
}

/** From `start` to the end of the text. */
function parseIpv4(text: string, start: number): Address | undefined {
  const groups = [0, 0];
  let from = start;
  for (let octet = 0; octet < 4; octet += 1) {
    let end = from;
    while (end < text.length && text.charCodeAt(end) !== DOT) end += 1;
    const value = parseDigits(text, from, end, 255);
    if (value === undefined || (octet === 3) !== (end === text.length)) return undefined;
    groups[octet >> 1] = groups[octet >> 1]! * 256 + value;
    from = end + 1;
  }
  return groups;
}

function parseIpv6(text: string): Address | undefined {
  const groups: number[] = [];
  let gap = text.startsWith("::") ? 0 : -1;
  let from = gap === 0 ? 2 : 0;
  while (from < text.length) {
    const colon = text.indexOf(":", from);
    if (colon < 0) {
      const last = text.includes(".", from) ? parseIpv4(text, from) : parseGroup(text, from, text.length);
      if (last === undefined) return undefined;
      groups.push(...last);
      break;
    }
    const group = parseGroup(text, from, colon);
    if (group === undefined || groups.length > IPV6_GROUPS) return undefined;
    groups.push(group[0]!);
    from = colon + 1;
    if (text.charCodeAt(from) === COLON) {
      if (gap >= 0) return undefined;
      gap = groups.length;
      from += 1;
    } else if (from === text.length) return undefined;
  }
  return expanded(groups, gap);
}

/** With the zeros that "::" stands for, which are at least one group. */
function expanded(groups: readonly number[], gap: number): Address | undefined {
  if (gap < 0) return groups.length === IPV6_GROUPS ? groups : undefined;
  const missing = IPV6_GROUPS - groups.length;
  if (missing < 1) return undefined;
  const whole = new Array<number>(IPV6_GROUPS).fill(0);
  for (let index = 0; index < groups.length; index += 1) {
    whole[index < gap ? index : index + missing] = groups[index]!;
  }
  return whole;
}

/** One to four hexadecimal digits. */
function parseGroup(text: string, from: number, end: number): readonly [number] | undefined {
  if (end === from || end - from > 4) return undefined;
  let value = 0;
  for (let index = from; index < end; index += 1) {
    const code = text.charCodeAt(index);
    const letter = code | 32;
    const isDigit = code >= 48 && code <= 57;
    if (!isDigit && (letter < 97 || letter > 102)) return undefined;
    value = value * 16 + (isDigit ? code - 48 : letter - 87);
  }
  return [value];
}

/** A whole number without leading zeros. */
export function parseWhole(text: string, largest: number): number | undefined {
  return parseDigits(text, 0, text.length, largest);
}

function parseDigits(text: string, from: number, end: number, largest: number): number | undefined {
  if (end === from || end - from > 5) return undefined;
  if (end - from > 1 && text.charCodeAt(from) === 48) return undefined;
  let value = 0;
  for (let index = from; index < end; index += 1) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return value <= largest ? value : undefined;
}
