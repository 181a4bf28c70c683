/** Notices that there is a proxy which nobody spoke of, and that all clients are therefore one. */

import type { HttpRequest } from "../request.js";
import type { Warn } from "../warnings.js";
import type { Address } from "./address.js";
import { parseRanges } from "./address-ranges.js";
import { addressText } from "./address-text.js";

/** Those that proxies write. */
const PROXY_HEADERS = ["x-forwarded-for", "forwarded"] as const;

/** So many of the first requests tell; a proxy that comes later is seen at one of as many. */
const WATCHED_REQUESTS = 100;
const MANY_CLIENTS = 10;
const LONGEST_KEPT = 100;

const isInside = parseRanges(["loopback", "private"]);

const WHAT_TO_DO =
  'Say how many proxies of yours are in front, trust: 1, or where they are, trust: ["10.0.0.0/8"]; ' +
  "trust: 0 says that there are none.";

/**
 * Any client can send these headers, so that one request from outside proves nothing. A request from one's own network
 * does, and so do the first hundred, if every one of them has such a header.
 */
export function watchForProxy(warn: Warn): (request: HttpRequest, peer: Address | undefined) => void {
  let seen = 0;
  let allForwarded = true;
  let knowsOfProxy = false;
  let onePeer: string | undefined;
  const clients = new Set<string>();

  function judgeFirstRequests(header: string): void {
    const { size } = clients;
    clients.clear();
    if (!onePeer || size < MANY_CLIENTS) warnOfProxy(header);
    else {
      warn(
        "one address",
        `The first ${WATCHED_REQUESTS} requests all came from ${onePeer}, with many different values of ` +
          `"${header}", and trust is not set: all clients are counted as one. ${WHAT_TO_DO}`,
      );
    }
  }

  function warnOfProxy(header: string): void {
    knowsOfProxy = true;
    warn(
      "proxy",
      `Requests come with the header "${header}", and trust is not set: clients are counted by the address of the ` +
        `socket, which is that of the proxy. ${WHAT_TO_DO}`,
    );
  }

  return (request, peer) => {
    seen += 1;
    if (seen > WATCHED_REQUESTS && (knowsOfProxy || seen % WATCHED_REQUESTS !== 0)) return;
    const header = PROXY_HEADERS.find((name) => request.header(name) !== undefined);
    if (header !== undefined && peer !== undefined && isInside(peer)) warnOfProxy(header);
    if (seen > WATCHED_REQUESTS) return;
    if (header === undefined) allForwarded = false;
    if (header === undefined || !allForwarded) return clients.clear();
    const from = peer === undefined ? "" : addressText(peer);
    onePeer = onePeer === undefined || onePeer === from ? from : "";
    if (clients.size < MANY_CLIENTS) clients.add(request.header(header)!.slice(-LONGEST_KEPT));
    if (seen === WATCHED_REQUESTS) judgeFirstRequests(header);
  };
}

/** A trusted proxy that writes another header than the one that is read. */
export function watchForOtherHeader(warn: Warn, read: string): (request: HttpRequest) => void {
  return (request) => {
    const other = PROXY_HEADERS.find((name) => name !== read && request.header(name) !== undefined);
    if (other === undefined) return;
    warn(
      "other header",
      `A trusted proxy sent a request with the header "${other}" and without "${read}", which is the one that is ` +
        `read: its clients are counted as one. Have it write "${read}", or set proxyHeader: "${other}".`,
    );
  };
}
