/** Commands that work as they are printed, in any shell, by programs that are there. */
import type { NamedLimit } from "../limits/named-limits.js";
import { type HostPort, hostPortText, reachable } from "./host-port.js";

export interface Tried {
  readonly resp: HostPort;
  readonly http: HostPort;
  /** Whether tokens are configured. None is shown: the commands take one from SLUICE_TOKEN. */
  readonly needsToken: boolean;
  readonly limits: readonly NamedLimit[];
}

/** How a program asks. */
interface Asker {
  resp(command: string): string;
  get(path: string): string;
  post(path: string, body: object): string;
}

export function commandsToTry(tried: Tried, has: (program: string) => boolean): readonly string[] {
  const node = byNode(tried, has("node") ? "node" : quoted(process.execPath));
  const cli = ["redis-cli", "valkey-cli"].find(has);
  const resp = cli === undefined ? node.resp : byRedisCli(tried, cli);
  const { get, post } = has("curl") ? byCurl(tried) : node;
  const limit = tried.limits.find(hasUsualSelectors);
  if (limit === undefined) return [resp(RATELIMIT), get("/metrics")];
  const { name, selectors } = limit;
  const facts = selectors.map((selector) => [selector, exampleOf(selector)] as const);
  return [
    resp(RATELIMIT),
    resp(["SLUICE.CONSUME", name, ...facts.flat()].join(" ")),
    post(`/v1/limits/${name}/consume`, { facts: Object.fromEntries(facts) }),
    get(`/v1/gate/${name}?${new URLSearchParams(Object.fromEntries(facts))}`),
    get("/metrics"),
  ];
}

/** One a second, and five at once. */
const RATELIMIT = "RATELIMIT user:42 1000000000 5000000000";

function byRedisCli({ resp, needsToken }: Tried, program: string): Asker["resp"] {
  const token = needsToken ? 'REDISCLI_AUTH="$SLUICE_TOKEN" ' : "";
  return (command) => `${token}${program} -h ${reachable(resp)} -p ${resp.port} ${command}`;
}

function byCurl({ http, needsToken }: Tried): Pick<Asker, "get" | "post"> {
  const token = needsToken ? ' -H "Authorization: Bearer $SLUICE_TOKEN"' : "";
  const json = " -H 'Content-Type: application/json'";
  return {
    get: (path) => `curl -s${path.startsWith("/v1/gate") ? "i" : ""}${token} ${quoted(urlOf(http, path))}`,
    post: (path, body) =>
      `curl -s${token}${json} -d ${quoted(JSON.stringify(body))} ${quoted(urlOf(http, path))}`,
  };
}

/** Where there is nothing else, there is Node. */
function byNode({ resp, http, needsToken }: Tried, program: string): Asker {
  const run = (code: string) => `${program} -e ${quoted(code)}`;
  const token = needsToken ? { authorization: TOKEN } : {};
  const asked = (path: string, options: object) =>
    run(
      `fetch(${code(urlOf(http, path))}, ${code(options)}).then(async r => console.log(r.status, await r.text()))`,
    );
  const login = needsToken ? '"AUTH " + JSON.stringify(process.env.SLUICE_TOKEN) + "\\r\\n" + ' : "";
  return {
    resp: (command) =>
      run(
        `require("net").connect(${resp.port}, ${code(reachable(resp))}).end(${login}"${command}\\r\\n").pipe(process.stdout)`,
      ),
    get: (path) => asked(path, { headers: token }),
    post: (path, body) =>
      asked(path, {
        method: "POST",
        headers: { ...token, "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
  };
}

const TOKEN = "Bearer $SLUICE_TOKEN";

function code(value: unknown): string {
  return JSON.stringify(value).replace(`"${TOKEN}"`, '"Bearer " + process.env.SLUICE_TOKEN');
}

/** Whatever it holds: some shells take brackets for a pattern, too. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function urlOf(http: HostPort, path: string): string {
  return `http://${hostPortText({ ...http, host: reachable(http) })}${path}`;
}

/** SLUICE.CONSUME and the gate give these names another meaning. */
function hasUsualSelectors({ selectors }: NamedLimit): boolean {
  return !selectors.some((selector) => /^(cost|status)$/i.test(selector));
}

function exampleOf(selector: string): string {
  return selector === "ip" ? "192.0.2.7" : "ada";
}
