/** Replies as they travel: RESP2, and RESP3 for who asked for it. Encoded replies are strings of bytes. */
import { bytesOf } from "./bytes.js";
import { integerText } from "./integer-text.js";

export type Protocol = 2 | 3;

export const OK = "+OK\r\n";

export function simple(bytes: string): string {
  return `+${oneLine(bytes)}\r\n`;
}

/** Begins with a code in capitals, by which clients tell errors apart. */
export function errorReply(bytes: string): string {
  return `-${oneLine(bytes)}\r\n`;
}

export function integer(value: number): string {
  return `:${integerText(value)}\r\n`;
}

export function bulk(bytes: string): string {
  return `$${bytes.length}\r\n${bytes}\r\n`;
}

export function bulkText(text: string): string {
  return bulk(bytesOf(text));
}

export function nil(protocol: Protocol): string {
  return protocol === 3 ? "_\r\n" : "$-1\r\n";
}

/** Of encoded replies. */
export function array(items: readonly string[]): string {
  return `*${items.length}\r\n${items.join("")}`;
}

/** Of encoded values by name; in RESP2 names and values in turn. */
export function map(protocol: Protocol, entries: readonly (readonly [string, string])[]): string {
  const head = protocol === 3 ? `%${entries.length}` : `*${2 * entries.length}`;
  return `${head}\r\n${entries.map(([name, value]) => bulkText(name) + value).join("")}`;
}

/** A line break inside would begin another reply. */
function oneLine(bytes: string): string {
  return bytes.replace(/[\r\n]+/g, " ");
}
