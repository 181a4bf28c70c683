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
    const members = names.flatMap((name) => {
      const text = textOf(kind, name);
      return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
    });
    return `{${members.join(",")}}`;
  }

  app.get<{ Querystring: Readonly<Record<Kind, unknown>> }>("/live/history", ({ query }, reply) => {
    const [limits, commands] = [namesIn(query.limit), namesIn(query.command)];
    if (limits.length + commands.length > MOST_HISTORIES) {
      throw new ProblemError(
        400,
        `${limits.length + commands.length} limits and commands are asked for, and ${MOST_HISTORIES} may be at once. Ask several times.`,
      );
    }
    const range = `"from":${live.oldest},"to":${live.oldest + PAST_SECONDS - 1}`;
    const text = `{${range},"limits":${objectOf("limit", limits)},"commands":${objectOf("command", commands)}}`;
    return reply.type("application/json; charset=utf-8").header("Cache-Control", "no-store").send(text);
  });
}

function namesIn(value: unknown): readonly string[] {
  return [...new Set([value].flat().filter((name) => typeof name === "string"))];
}
