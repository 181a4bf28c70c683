/** Keeps out what a web page of another site makes a browser ask, by a name of its own or across sites. */
import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { ProblemError } from "./problem.js";
import { shortened } from "./shortened.js";

export interface SiteOptions {
  readonly tokens: () => readonly string[];
  /** Names of this server, besides localhost and every IP address. */
  readonly hosts?: (() => readonly string[]) | undefined;
  /** Whether a proxy asks the gate, and passes on the headers of the requests that it guards. */
  readonly gateBehindProxy?: (() => boolean) | undefined;
}

const LONGEST_SHOWN = 100;

/**
 * A foreign name that was made to lead here (DNS rebinding) would pass for our own origin, so the Host is checked, unless
 * a token is asked for, which no foreign page knows. Nobody can make an IP address lead elsewhere.
 */
export function checkSite(request: FastifyRequest, options: SiteOptions): void {
  const { headers, routeOptions } = request;
  const { tokens, hosts, gateBehindProxy } = options;
  const { isForProxies = false } = routeOptions.config;
  const hasTokens = tokens().length > 0;
  const isProxied = isForProxies && gateBehindProxy?.() === true;
  const { host } = headers;
  // HTTP/1.0 has none, and browsers do not speak it.
  if (!hasTokens && !isProxied && host !== undefined && !isNameOf(host, hosts?.() ?? []))
    throw new ProblemError(421, `${shownHost(host)} is no name of this server. ${ADVICE}`);
  if (!isAcrossSites(request) || isProxied || (isForProxies && hasTokens)) return;
  // nginx would take a 403 for a refusal, and tell every client that it is over its limit.
  if (isForProxies) throw new ProblemError(400, GATE_ACROSS_SITES);
  throw new ProblemError(
    403,
    "A page of another site asks this by a browser, and only the server's own may.",
  );
}

const ADVICE =
  "Ask by an IP address or localhost, name it under http.hosts in the configuration, or configure tokens.";

const GATE_ACROSS_SITES =
  "A page of another site asks this by a browser. Where a proxy passes on the headers of the requests that it guards, " +
  "configure http.gateBehindProxy: true, or a token for the proxy to send.";

function isNameOf(host: string, names: readonly string[]): boolean {
  const [, six, name] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::\d{1,5})?$/.exec(host) ?? [];
  if (six !== undefined) return isIP(six) === 6;
  if (name === undefined) return false;
  const plain = name.toLowerCase();
  return isIP(name) === 4 || plain === "localhost" || names.some((known) => known.toLowerCase() === plain);
}

/** Browsers tell where a request comes from by `Sec-Fetch-Site`, or else by `Origin`; other programs send neither. */
function isAcrossSites({ headers, routeOptions }: FastifyRequest): boolean {
  const { origin, host = "" } = headers;
  const site = headers["sec-fetch-site"];
  if (origin !== undefined && authorityOf(origin) !== host.toLowerCase()) return true;
  if (site === undefined || site === "same-origin" || site === "none") return false;
  const isLink = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  return !(isLink && routeOptions.config.isLinked === true);
}

function authorityOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function shownHost(host: string): string {
  return JSON.stringify(shortened(host.replace(/[^\x20-\x7e]/g, "?"), LONGEST_SHOWN));
}
