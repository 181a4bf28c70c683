/** What a server says once it listens: where, the limits it has, and commands to try. */
import type { NamedLimit } from "../limits/named-limits.js";
import { commandsToTry, type Tried, urlOf } from "./commands-to-try.js";
import { hostPortText } from "./host-port.js";
import { isOnPath } from "./programs.js";

export interface Welcome extends Omit<Tried, "limits"> {
  readonly store: string;
  readonly limits: { all(): readonly NamedLimit[] };
}

export function welcomeText(welcome: Welcome, has: (program: string) => boolean = isOnPath): string {
  const { resp, http, store, needsToken } = welcome;
  const limits = welcome.limits.all();
  const lines = [
    `Sluice is listening: Redis clients at ${hostPortText(resp)}, HTTP at http://${hostPortText(http)}; counting in ${store}.`,
    "",
    ...limits.map(({ name, config }) => `  ${name.padEnd(longestName(limits))}  ${onOneLine(config.rule)}`),
    ...(limits.length > 0 ? [""] : []),
    `Watch, in a browser: ${urlOf(http, "/")}`,
    "",
    `Try, in another terminal${needsToken ? " where SLUICE_TOKEN is one of your tokens" : ""}:`,
    "",
    ...commandsToTry({ ...welcome, limits }, has).map((command) => `  ${command}`),
    "",
    "Stop with Ctrl+C.",
  ];
  return lines.join("\n");
}

function longestName(limits: readonly NamedLimit[]): number {
  return Math.max(...limits.map(({ name }) => name.length));
}

function onOneLine(rule: string): string {
  return rule.trim().replace(/\s+/g, " ");
}
