/** What happens, second by second, as server-sent events: written once, and sent to all who watch. */
import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { NamedLimits } from "../../limits/named-limits.js";
import type { Hello } from "../../live/live-messages.js";
import { IDENTITY_WINDOW_SECONDS, type LiveView, PAST_SECONDS } from "../../live/live-view.js";
import { ProblemError } from "../problem.js";
import { mayChange, type VisitorOptions } from "./visitor.js";

export interface EventsOptions extends VisitorOptions {
  readonly live: LiveView;
  readonly limits: NamedLimits;
  readonly version: string;
}

/** Documented in docs/guide/page.md. */
export const MOST_VISITORS = 64;
/** A visitor who reads so little is cut off before the next event is sent, and comes back when he can. */
export const MOST_UNREAD_BYTES = 256 * 1024;
const RETRY_AFTER_SECONDS = 30;

export function liveEvents(app: FastifyInstance, options: EventsOptions): void {
  const { live } = options;
  const visitors = new Set<ServerResponse>();
  const freshHello = () => once(() => eventBytes("hello", helloOf(options)));
  let hello = freshHello();
  let latest: (() => Buffer) | undefined;

  const stopWatching = live.watch({
    second(second) {
      const bytes = once(() => eventBytes("second", second));
      hello = freshHello();
      latest = bytes;
      for (const visitor of visitors) send(visitor, bytes());
    },
    reconfigured() {
      hello = freshHello();
      for (const visitor of visitors) send(visitor, hello());
    },
  });
  app.addHook("preClose", async () => {
    stopWatching();
    for (const visitor of visitors) visitor.end();
  });

  app.get("/live/events", { exposeHeadRoute: false }, (_, reply) => {
    if (visitors.size >= MOST_VISITORS) {
      throw new ProblemError(
        503,
        `This page is told to ${MOST_VISITORS} visitors at once, and there are as many already. Close one, or wait until somebody leaves.`,
        { headers: { "Retry-After": String(RETRY_AFTER_SECONDS) } },
      );
    }
    reply.hijack();
    const { raw } = reply;
    visitors.add(raw);
    raw.once("close", () => visitors.delete(raw));
    raw.writeHead(200, {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-store",
      // nginx would otherwise gather them.
      "X-Accel-Buffering": "no",
    });
    raw.write(hello());
    if (latest !== undefined) raw.write(latest());
  });
}

function send(visitor: ServerResponse, bytes: Buffer): void {
  if (visitor.writableLength > MOST_UNREAD_BYTES) visitor.destroy();
  else visitor.write(bytes);
}

function helloOf({ live, limits, version, ...visitor }: EventsOptions): Hello {
  return {
    version,
    limits: limits.all().map(({ name, config, selectors }) => {
      return { name, rule: config.rule, selectors, shadow: config.shadow ?? false };
    }),
    past: live.past(),
    pastSeconds: PAST_SECONDS,
    identityWindow: [IDENTITY_WINDOW_SECONDS, 2 * IDENTITY_WINDOW_SECONDS],
    mayChange: mayChange(visitor),
  };
}

function eventBytes(event: string, data: object): Buffer {
  return Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** Made when it is first asked for. */
function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
