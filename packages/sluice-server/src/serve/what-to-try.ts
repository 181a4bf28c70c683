/** What a server says once it listens: where, and commands to try that work as they are printed. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { NamedLimit, NamedLimits } from "../limits/named-limits.js";
import { type HostPort, hostPortText } from "./host-port.js";

export interface Welcome {
  readonly resp: HostPort;
  readonly http: HostPort;
  readonly store: string;
  /** Whether tokens are configured; which, is not shown. */
  readonly needsToken: boolean;
  readonly limits: Pick<NamedLimits, "all">;
}

export function welcomeText(welcome: Welcome, has: (program: string) => boolean = isOnPath): string {
  const { resp, http, store } = welcome;
  const limits = welcome.limits.all();
  const lines = [
    `Sluice is listening: Redis clients at ${hostPortText(resp)}, HTTP at http://${hostPortText(http)}; counting in ${store}.`,
    "",
    ...limits.map(({ name, config }) => `  ${name.padEnd(longestName(limits))}  ${config.rule}`),
    ...(limits.length > 0 ? [""] : []),
    "Try, in another terminal:",
    "",
    ...commandsOf(welcome, has).map((command) => `  ${command}`),
    "",
    "Stop with Ctrl+C.",
  ];
  return lines.join("\n");
}

/** Only what the programs on this machine can run. */
export function commandsOf(
  { resp, http, needsToken, limits }: Welcome,
  has: (program: string) => boolean,
): readonly string[] {
  const redisCli = `redis-cli -h ${reachable(resp)} -p ${resp.port}${needsToken ? " --user default --askpass" : ""}`;
  const base = `http://${hostPortText({ ...http, host: reachable(http) })}`;
  const header = needsToken ? ' -H "Authorization: Bearer $SLUICE_TOKEN"' : "";
  const [first] = limits.all();
  const facts = first?.selectors.map((selector) => [selector, exampleOf(selector)] as const) ?? [];
  const commands: string[] = [];
  if (has("redis-cli")) {
    commands.push(`${redisCli} RATELIMIT user:42 1000000000 5000000000`);
    if (first !== undefined) {
      const values = facts.map(([selector, value]) => ` ${selector} ${value}`).join("");
      commands.push(`${redisCli} SLUICE.CONSUME ${first.name}${values}`);
    }
  }
  if (first !== undefined) {
    const path = `/v1/limits/${first.name}/consume`;
    const body = JSON.stringify({ facts: Object.fromEntries(facts) });
    const query = facts.map(([selector, value]) => `${selector}=${value}`).join("&");
    const gate = `/v1/gate/${first.name}?${query}`;
    if (has("curl")) {
      commands.push(`curl -s${header} -H 'Content-Type: application/json' -d '${body}' ${base}${path}`);
      commands.push(`curl -si${header} '${base}${gate}'`);
    } else if (!needsToken) {
      commands.push(nodeCommand(base + path, { method: "POST", body }));
      commands.push(nodeCommand(base + gate, {}));
    }
  }
  if (has("curl")) commands.push(`curl -s${header} ${base}/metrics`);
  else if (!needsToken) commands.push(nodeCommand(`${base}/metrics`, {}));
  return commands;
}

/** Where there is no curl, there is Node. */
function nodeCommand(url: string, { method, body }: { method?: string; body?: string }): string {
  const options =
    method === undefined
      ? ""
      : `, {method: ${JSON.stringify(method)}, headers: {"content-type": "application/json"}, body: ${JSON.stringify(body)}}`;
  return `node -e 'fetch(${JSON.stringify(url)}${options}).then(async r => console.log(r.status, await r.text()))'`;
}

function exampleOf(selector: string): string {
  return selector === "ip" ? "192.0.2.7" : "ada";
}

/** Who listens everywhere is also found here. */
function reachable({ host }: HostPort): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}

function longestName(limits: readonly NamedLimit[]): number {
  return Math.max(...limits.map(({ name }) => name.length));
}

function isOnPath(program: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
