/** The Redis protocol, version 2: what one command is sent as and how its reply is read. */

export interface Decoded {
  readonly value: unknown;
  /** The offset behind the reply. */
  readonly end: number;
}

export function encode(args: readonly string[]): string {
  const parts = args.map((arg) => `$${Buffer.byteLength(arg)}\r\n${arg}\r\n`);
  return `*${args.length}\r\n${parts.join("")}`;
}

/** The reply that begins at `start`, or undefined while it is incomplete; an error reply is an `Error` as value. */
export function decode(bytes: Buffer, start = 0): Decoded | undefined {
  const lineEnd = bytes.indexOf("\r\n", start);
  if (lineEnd < 0) return undefined;
  const line = bytes.toString("utf8", start + 1, lineEnd);
  const end = lineEnd + 2;
  const type = String.fromCharCode(bytes[start]!);
  switch (type) {
    case "+":
      return { value: line, end };
    case "-":
      return { value: new Error(line), end };
    case ":":
      return { value: Number(line), end };
    case "$":
      return decodeBulk(bytes, end, Number(line));
    case "*":
      return decodeArray(bytes, end, Number(line));
    default:
      throw new Error(`Not a RESP2 reply: ${JSON.stringify(type + line)}`);
  }
}

function decodeBulk(bytes: Buffer, start: number, length: number): Decoded | undefined {
  if (length < 0) return { value: null, end: start };
  if (bytes.length < start + length + 2) return undefined;
  return { value: bytes.toString("utf8", start, start + length), end: start + length + 2 };
}

function decodeArray(bytes: Buffer, start: number, length: number): Decoded | undefined {
  if (length < 0) return { value: null, end: start };
  const value: unknown[] = [];
  let end = start;
  while (value.length < length) {
    const item = decode(bytes, end);
    if (item === undefined) return undefined;
    value.push(item.value);
    end = item.end;
  }
  return { value, end };
}
