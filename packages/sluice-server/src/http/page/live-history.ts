/** The last minutes of the limits that somebody looks at: each written once a second, however many look. */
import type { FastifyInstance } from "fastify";
import { MOST_HISTORIES } from "../../live/live-messages.js";
import { type LiveView, PAST_SECONDS } from "../../live/live-view.js";
import { ProblemError } from "../problem.js";

type Kind = "limit" | "command";

export function liveHistory(app: FastifyInstance, { live }: { readonly live: LiveView }): void {
  /** What has been asked for since the last second, as JSON. Of subjects that are known only, and so bounded. */
  const texts = new Map<string, string>();
  const stopWatching = live.watch({
    second: () => texts.clear(),
    reconfigured: () => texts.clear(),
  });
  app.addHook("preClose", async () => {
    stopWatching();
  });

  function textOf(kind: Kind, name: string): string | undefined {
    const key = `${kind} ${name}`;
    const text = texts.get(key) ?? JSON.stringify(live.historyOf(kind, name));
    if (text !== undefined) texts.set(key, text);
    return text;
  }

  function objectOf(kind: Kind, names: readonly string[]): string {
    return objectText(names.map((name) => [name, textOf(kind, name)]));
  }

  app.get<{ Querystring: Readonly<Record<Kind, unknown>> }>("/live/history", ({ query }, reply) => {
    const [limits, commands] = [namesIn(query.limit), namesIn(query.command)];
    if (limits.length + commands.length > MOST_HISTORIES) {
      throw new ProblemError(
        400,
        `${limits.length + commands.length} limits and commands are asked for, and ${MOST_HISTORIES} may be at once. Ask several times.`,
      );
    }
    const text = objectText([
      ["from", `${live.oldest}`],
      ["to", `${live.oldest + PAST_SECONDS - 1}`],
      ["limits", objectOf("limit", limits)],
      ["commands", objectOf("command", commands)],
    ]);
    return reply.type("application/json; charset=utf-8").header("Cache-Control", "no-store").send(text);
  });
}

/** Of members that are JSON already; those that are undefined are left out. */
function objectText(members: readonly (readonly [name: string, json: string | undefined])[]): string {
  const known = members.filter(([, json]) => json !== undefined);
  return `{${known.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`;
}

function namesIn(value: unknown): readonly string[] {
  return [...new Set([value].flat().filter((name) => typeof name === "string"))];
}
