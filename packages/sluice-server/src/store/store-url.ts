/** Where state is kept, as `--store` and configurations write it: `memory`, or the URL of a Redis. */
import { suggestion } from "../explain/nearest-word.js";

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

export interface Login {
  readonly username: string | undefined;
  readonly password: string | undefined;
}

export interface RedisAddress {
  readonly kind: "single" | "cluster" | "sentinel";
  readonly tls: boolean;
  readonly login: Login;
  /** The server, the nodes that are asked first, or the Sentinels. */
  readonly hosts: readonly HostPort[];
  /** What the Sentinels call the primary. */
  readonly name: string | undefined;
  readonly db: number;
}

export type StoreAddress = { readonly kind: "memory" } | RedisAddress;

/** A text that names no store. Never holds what may be a password. */
export class StoreUrlError extends Error {
  override readonly name = "StoreUrlError";
}

const SCHEMES: Readonly<Record<string, Pick<RedisAddress, "kind" | "tls">>> = {
  redis: { kind: "single", tls: false },
  rediss: { kind: "single", tls: true },
  "redis-cluster": { kind: "cluster", tls: false },
  "rediss-cluster": { kind: "cluster", tls: true },
  "redis-sentinel": { kind: "sentinel", tls: false },
  "rediss-sentinel": { kind: "sentinel", tls: true },
};

const FORMS = {
  single: "redis://[user:password@]host[:port][/database]",
  cluster: "redis-cluster://[user:password@]host:port,host:port",
  sentinel: "redis-sentinel://[user:password@]host:port,host:port/name[/database]",
} as const;

const DEFAULT_PORTS = { single: 6379, cluster: 6379, sentinel: 26379 } as const;
const LARGEST_PORT = 65_535;

export function parseStoreUrl(text: string): StoreAddress {
  if (text === "memory") return { kind: "memory" };
  const [, scheme, rest = ""] = /^([a-z-]*):\/\/(.*)$/s.exec(text.trim()) ?? [];
  if (scheme === undefined) {
    throw new StoreUrlError(
      `A store is "memory" or a URL such as redis://127.0.0.1:6379.${nearMemory(text)}`,
    );
  }
  const known = Object.hasOwn(SCHEMES, scheme) ? SCHEMES[scheme] : undefined;
  if (known === undefined) {
    const schemes = Object.keys(SCHEMES).map((name) => `${name}://`);
    throw new StoreUrlError(
      `A store's URL begins with one of ${schemes.join(", ")}.${suggestion(scheme, Object.keys(SCHEMES))}`,
    );
  }
  return addressIn(rest, known);
}

/** A password may hold any character but an @ after which a host could follow: the last one counts. */
function addressIn(text: string, { kind, tls }: Pick<RedisAddress, "kind" | "tls">): RedisAddress {
  const at = text.lastIndexOf("@");
  const login = loginIn(at < 0 ? undefined : text.slice(0, at));
  const place = text.slice(at + 1);
  if (/[?#]/.test(place)) throw mistaken(kind, "has no options behind a ? or #");
  const [authority = "", ...path] = place.replace(/\/$/, "").split("/");
  const hosts = authority.split(",").map((host) => hostIn(host, kind));
  if (kind === "single" && hosts.length > 1) {
    throw mistaken(kind, "names one server; several are a redis-cluster:// or a redis-sentinel://");
  }
  const name = kind === "sentinel" ? nameIn(path.shift()) : undefined;
  const db = path.shift();
  if (path.length > 0) throw mistaken(kind, "ends after the database");
  if (kind === "cluster" && db !== undefined) throw mistaken(kind, "has no database: a Cluster has only one");
  return { kind, tls, login, hosts, name, db: databaseIn(db, kind) };
}

function loginIn(text: string | undefined): Login {
  if (text === undefined) return { username: undefined, password: undefined };
  const colon = text.indexOf(":");
  const part = (written: string) => (written === "" ? undefined : decoded(written));
  return colon < 0
    ? { username: part(text), password: undefined }
    : { username: part(text.slice(0, colon)), password: part(text.slice(colon + 1)) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StoreUrlError(
      "In a user or a password, % begins an escape such as %40: write %25 for the sign itself.",
    );
  }
}

/** Nothing of the host is quoted, since a password may have come to stand in its place. */
function hostIn(text: string, kind: RedisAddress["kind"]): HostPort {
  const [, bracketed, plain, port] = /^(?:\[([0-9A-Fa-f:.%]+)\]|([\w.-]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) throw mistaken(kind, "needs a host, and a port that is a number");
  const number = port === undefined ? DEFAULT_PORTS[kind] : Number(port);
  if (number < 1 || number > LARGEST_PORT) throw mistaken(kind, `has ports from 1 to ${LARGEST_PORT}`);
  return { host, port: number };
}

function nameIn(text: string | undefined): string {
  if (text !== undefined && /^[\w.-]+$/.test(text)) return text;
  throw mistaken("sentinel", "needs the name that the Sentinels have for the primary, often mymaster");
}

function databaseIn(text: string | undefined, kind: RedisAddress["kind"]): number {
  if (text === undefined || text === "") return 0;
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw mistaken(kind, "has a number for its database");
}

function mistaken(kind: RedisAddress["kind"], problem: string): StoreUrlError {
  return new StoreUrlError(`The URL ${problem}. It reads ${FORMS[kind]}.`);
}

function nearMemory(text: string): string {
  return /^[a-z-]{3,12}$/i.test(text) ? suggestion(text, ["memory"]) : "";
}

/** Puts stars in the place of user and password in every URL of a text, from `://` to the last @ of a word. */
export function withoutLogins(text: string): string {
  return text.replace(/(?<=:\/\/)[^\s"']+(?=@)/g, (login) => "*".repeat(login.length));
}

/** As it may be shown: without the user and the password. */
export function describeStore(address: StoreAddress): string {
  if (address.kind === "memory") return "memory";
  const { kind, tls, hosts, name, db } = address;
  const scheme = Object.keys(SCHEMES).find(
    (known) => SCHEMES[known]!.kind === kind && SCHEMES[known]!.tls === tls,
  );
  const written = hosts.map(({ host, port }) =>
    host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`,
  );
  return [`${scheme}://${written.join(",")}`, name, db === 0 ? undefined : db]
    .filter((part) => part !== undefined)
    .join("/");
}
