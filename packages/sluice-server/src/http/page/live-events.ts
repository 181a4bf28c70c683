/** What happens, second by second, as server-sent events. */
import type { FastifyInstance } from "fastify";
import type { NamedLimits } from "../../limits/named-limits.js";
import type { Hello, Second } from "../../live/live-messages.js";
import { IDENTITY_WINDOW_SECONDS, type LiveView, PAST_SECONDS } from "../../live/live-view.js";
import { ProblemError } from "../problem.js";
import { mayChange, type VisitorOptions } from "./visitor.js";

export interface EventsOptions extends VisitorOptions {
  readonly live: LiveView;
  readonly limits: NamedLimits;
  readonly version: string;
}

const MOST_WATCHERS = 100;
/** Who does not read is dropped, and comes back when he does. */
const MOST_UNREAD_BYTES = 1024 * 1024;

export function liveEvents(app: FastifyInstance, options: EventsOptions): void {
  const { live } = options;
  const ends = new Set<() => void>();
  app.addHook("preClose", async () => {
    for (const end of ends) end();
  });

  app.get("/live/events", (request, reply) => {
    if (ends.size >= MOST_WATCHERS) throw new ProblemError(503, `${MOST_WATCHERS} watch already.`);
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-store",
      // nginx would otherwise gather them.
      "X-Accel-Buffering": "no",
    });
    const write = (text: string) => {
      if (raw.writableLength > MOST_UNREAD_BYTES) raw.destroy();
      else raw.write(text);
    };
    write(eventText("hello", helloWith(live.since(lastSeen(request.headers["last-event-id"])), options)));
    const leave = live.watch({
      second: (second) => write(secondText(second)),
      reconfigured: () => write(eventText("hello", helloWith([], options))),
    });
    const end = () => raw.end();
    ends.add(end);
    raw.once("close", () => {
      leave();
      ends.delete(end);
    });
  });
}

function lastSeen(eventId: unknown): number {
  return typeof eventId === "string" && /^\d{1,12}$/.test(eventId) ? Number(eventId) : 0;
}

function helloWith(past: readonly Second[], { limits, version, ...visitor }: EventsOptions): Hello {
  return {
    version,
    limits: limits.all().map(({ name, config, selectors }) => {
      return { name, rule: config.rule, selectors, shadow: config.shadow ?? false };
    }),
    past,
    pastSeconds: PAST_SECONDS,
    identityWindow: [IDENTITY_WINDOW_SECONDS, 2 * IDENTITY_WINDOW_SECONDS],
    mayChange: mayChange(visitor),
  };
}

const texts = new WeakMap<Second, string>();

/** Written once for all who watch. */
function secondText(second: Second): string {
  const text = texts.get(second) ?? `id: ${second.at}\n${eventText("second", second)}`;
  texts.set(second, text);
  return text;
}

function eventText(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
