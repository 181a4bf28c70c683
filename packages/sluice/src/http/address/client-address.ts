/** Who the client is, by its address: the socket's, or what trusted proxies say. */
import { BadOption, checkOptions, SluiceError, shown } from "../../errors.js";
import { remembered } from "../remembered.js";
import type { HttpRequest, Reader } from "../request.js";
import { type OnWarning, warnOnce } from "../warnings.js";
import { type Address, parseAddress } from "./address.js";
import { parseRanges } from "./address-ranges.js";
import { identityOf } from "./address-text.js";
import { parseElement, startOfElement } from "./proxy-list.js";
import { watchForOtherHeader, watchForProxy } from "./proxy-watch.js";

export interface AddressOptions {
  /**
   * The proxies of yours that a request comes through: how many, or a list of their addresses and ranges, "loopback"
   * and "private" among them. A number is only safe where nobody can reach the server but through that many.
   */
  readonly trust?: number | readonly string[] | undefined;
  /**
   * The header that they add to: "x-forwarded-for" when left out, "forwarded", or one with a single address. No other
   * is ever read, because a proxy hands on what a client wrote into a header that the proxy does not know.
   */
  readonly proxyHeader?: string | undefined;
  /** How many bits of an IPv6 address are one client, from 1 to 128; 56 when left out. */
  readonly ipv6Prefix?: number | undefined;
}

export interface ClientAddressOptions extends AddressOptions {
  /** Told, once each, of what looks like a mistake; the console when left out. */
  readonly onWarning?: OnWarning | undefined;
}

/** A trusted proxy says who the client is, and no address stands there. Answered with 400. */
export class BadAddress extends SluiceError {
  readonly code = "SLUICE_BAD_ADDRESS";
}

/** The socket has no address to count by. */
export class NoAddress extends SluiceError {
  readonly code = "SLUICE_NO_ADDRESS";
}

const MOST_HOPS = 32;
/** Peers whose address is not parsed again. */
const MOST_REMEMBERED = 1000;

/** Whether the peer, hop 0, or a hop before it is one's own proxy. */
type Trusts = (address: Address | undefined, hop: number) => boolean;

export function clientAddress(options: ClientAddressOptions = {}): Reader<unknown, string> {
  const { trust, proxyHeader = "x-forwarded-for", ipv6Prefix = 56, onWarning } = options;
  const { trust: _, ...others } = options;
  checkOptions("clientAddress", others, {
    trust: "object",
    proxyHeader: "string",
    ipv6Prefix: "number",
    onWarning: "function",
  });
  if (!Number.isSafeInteger(ipv6Prefix) || ipv6Prefix < 1 || ipv6Prefix > 128) {
    throw new BadOption(`ipv6Prefix is a whole number from 1 to 128, and this is ${shown(ipv6Prefix)}.`);
  }
  const header = proxyHeader.toLowerCase();
  const trusts = trustOf(trust);
  const warn = warnOnce(onWarning);
  const watch = trust === undefined ? watchForProxy(warn) : undefined;
  const withoutHeader = watchForOtherHeader(warn, header);

  const peerAt = remembered(MOST_REMEMBERED, (address) => {
    const peer = peerOf(address);
    return { peer, identity: identityOf(peer, ipv6Prefix) };
  });

  return (_, request) => {
    const { address } = request;
    const known = address === undefined ? undefined : peerAt(address);
    watch?.(request, known?.peer);
    if (known !== undefined && !trusts(known.peer, 0)) return known.identity;
    return identityOf(clientBehind(known?.peer, request), ipv6Prefix);
  };

  /** The first from the right that is not trusted, or the farthest where all are. What is left of it is not read. */
  function clientBehind(peer: Address | undefined, request: HttpRequest): Address {
    if (!trusts(peer, 0)) return peer ?? nobody();
    const list = request.header(header);
    if (list === undefined || list === "") {
      withoutHeader(request);
      return peer ?? nobody();
    }
    let end = list.length;
    for (let hop = 1; hop <= MOST_HOPS; hop += 1) {
      const start = startOfElement(list, end);
      const address = start === undefined ? undefined : parseElement(header, list.slice(start, end));
      if (start === undefined || address === undefined) throw badElement(header, list.slice(0, end));
      if (start === 0 || !trusts(address, hop)) return address;
      end = start - 1;
    }
    throw new BadAddress(`The header "${header}" names more than ${MOST_HOPS} trusted proxies.`);
  }
}

function trustOf(trust: AddressOptions["trust"] = 0): Trusts {
  if (Array.isArray(trust)) {
    const inRanges = parseRanges(trust);
    return (address) => address !== undefined && inRanges(address);
  }
  if (Number.isSafeInteger(trust) && (trust as number) >= 0 && (trust as number) <= MOST_HOPS) {
    return (_, hop) => hop < (trust as number);
  }
  throw new BadOption(
    `trust is the number of your proxies, from 0 to ${MOST_HOPS}, or a list of their addresses, and this is ${shown(trust)}.`,
  );
}

function peerOf(address: string): Address {
  const peer = parseAddress(address);
  if (peer !== undefined) return peer;
  throw new NoAddress(`The address of the socket is ${shown(address)}, which is no network address.`);
}

function nobody(): never {
  throw new NoAddress(
    "The request has no address to count by: it came over a Unix socket, or its client has gone already. " +
      "If a proxy sends requests over the socket, say trust: 1; or give your own facts: { ip: … }.",
  );
}

function badElement(header: string, upToHere: string): BadAddress {
  const [last] = upToHere.slice(-60).split(",").slice(-1);
  return new BadAddress(
    `A trusted proxy sent the header "${header}" with ${shown(last!.trim())} where the address of the one before it ` +
      "should be. Have the proxy write addresses, or trust fewer proxies.",
  );
}
