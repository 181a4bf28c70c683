/** What proxies write of those before them: `Forwarded` (RFC 7239), and lists such as `X-Forwarded-For`. */
import { type Address, parseAddress, parseWhole } from "./address.js";

/** More than a proxy has to say of one hop; what is longer is not read. */
const LONGEST_ELEMENT = 512;

const COMMA = 44;
const QUOTE = 34;

/**
 * Where the element begins that ends before `end`, or undefined where it is too long. From the right, because only
 * there stands what one's own proxies wrote: whatever a client sent, unclosed quotes too, is further left.
 */
export function startOfElement(list: string, end: number): number | undefined {
  let quoted = false;
  for (let index = end - 1; index >= 0; index -= 1) {
    if (end - index > LONGEST_ELEMENT) return undefined;
    const code = list.charCodeAt(index);
    if (code === QUOTE) quoted = !quoted;
    else if (code === COMMA && !quoted) return index + 1;
  }
  return 0;
}

/** Reads one element of the header; undefined where no address stands. */
export function parseElement(header: string, element: string): Address | undefined {
  const text = element.trim();
  return header === "forwarded" ? parseForwarded(text) : parseNode(text, true);
}

/** A pair of an element of Forwarded, to its end. No legal address needs a backslash, so that none is taken. */
const PAIR = /[ \t]*([!#$%&'*+.^`|~\w-]+)=(?:([!#$%&'*+.^`|~\w-]+)|"([^"\\]*)")[ \t]*(?:;|$)/y;

function parseForwarded(text: string): Address | undefined {
  let node: string | undefined;
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < text.length) {
    const pair = PAIR.exec(text);
    if (pair === null) return undefined;
    const [, name, token, quoted] = pair;
    if (name!.toLowerCase() !== "for") continue;
    if (node !== undefined) return undefined;
    node = token ?? quoted;
  }
  return node === undefined ? undefined : parseNode(node, false);
}

/** `192.0.2.1`, `192.0.2.1:80`, `[2001:db8::1]`, `[2001:db8::1]:80`, and IPv6 without brackets where that is the custom. */
function parseNode(text: string, mayBeBare: boolean): Address | undefined {
  if (text.startsWith("[")) {
    const close = text.indexOf("]");
    const inner = text.slice(1, Math.max(1, close));
    return inner.includes(":") && isPort(text.slice(close + 1)) ? parseAddress(inner) : undefined;
  }
  const colon = text.indexOf(":");
  if (colon < 0) return parseAddress(text);
  if (colon !== text.lastIndexOf(":")) return mayBeBare ? parseAddress(text) : undefined;
  return isPort(text.slice(colon)) ? parseAddress(text.slice(0, colon)) : undefined;
}

/** Nothing, or a colon and a port; RFC 7239 lets a proxy hide the port behind a name. */
function isPort(text: string): boolean {
  if (text === "") return true;
  return (
    text.startsWith(":") && (parseWhole(text.slice(1), 65_535) !== undefined || /^:_[\w.-]+$/.test(text))
  );
}
