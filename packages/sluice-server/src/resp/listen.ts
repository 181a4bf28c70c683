/** The server that Redis clients connect to. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { NamedLimits } from "../limits/named-limits.js";
import type { Log } from "../log.js";
import { TokenGuard } from "../tokens.js";
import { clientCommand } from "./commands/client.js";
import type { Command } from "./commands/command.js";
import { CommandTable, type OnCommand } from "./commands/command-table.js";
import { greetingCommands } from "./commands/greetings.js";
import { commandCommand, configCommand, infoCommand } from "./commands/introspection.js";
import { namedLimitCommands } from "./commands/named-limits.js";
import { type Execute, transactionCommands } from "./commands/transaction.js";
import { Connection, type ConnectionContext } from "./connection.js";
import { HeldBytes } from "./pressure/held-bytes.js";
import type { Patience } from "./pressure/patience.js";
import { Turns } from "./pressure/turns.js";
import { type RateLimitOptions, rateLimitCommand } from "./ratelimit/ratelimit.js";
import { errorReply } from "./wire/reply.js";

export interface RespOptions extends RateLimitOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly limits: NamedLimits;
  /** Who may ask, as the configuration says now; with none, everybody may. */
  readonly tokens: () => readonly string[];
  /** Shared with other surfaces, so that a guesser cannot turn to those. */
  readonly tokenGuard?: TokenGuard | undefined;
  readonly log: Log;
  readonly version?: string | undefined;
  readonly onCommand?: OnCommand | undefined;
  readonly maxConnections?: number | undefined;
  readonly patience?: Patience | undefined;
  /** How many bytes of half commands and unread replies are held for all connections together. */
  readonly mostHeld?: number | undefined;
}

export interface RespServer {
  readonly address: AddressInfo;
  readonly connections: number;
  /** Answers what has been asked, then closes; after `patience.goodbye` whatever happens. */
  close(): Promise<void>;
}

const DEFAULT_MAX_CONNECTIONS = 10_000;
const DEFAULT_MOST_HELD = 256 * 1024 * 1024;
const DEFAULT_PATIENCE: Patience = {
  authentication: 5_000,
  halfCommand: 30_000,
  unreadReplies: 30_000,
  goodbye: 5_000,
};
/** Of all connections, so many may be strangers; the rest is for who has a token. */
const SHARE_OF_STRANGERS = 0.5;
/** Far below what a Redis store lets wait, and enough that it always has batches to work on. */
const TURN_LIMITS = { mostInFlight: 2_000, mostPerTurn: 1_024 };
const CHECK_EVERY_MS = 1_000;
const KEEP_ALIVE_MS = 300_000;
/** Who connects in a rush is waited for; the system may allow less. */
const BACKLOG = 4_096;

export async function listenResp(options: RespOptions): Promise<RespServer> {
  const { host, port, tokens, log, maxConnections = DEFAULT_MAX_CONNECTIONS } = options;
  const { patience = DEFAULT_PATIENCE, mostHeld = DEFAULT_MOST_HELD } = options;
  const connections = new Set<Connection>();
  /** In the order of their arrival. Who has authenticated since is taken off every now and then. */
  const strangers = new Set<Connection>();
  const mostStrangers = Math.max(1, Math.floor(maxConnections * SHARE_OF_STRANGERS));
  const execute: Execute = (args, peer) => table.execute(args, peer);
  const table = new CommandTable({
    ...options,
    commands: commandsOf(options, execute, maxConnections, connections),
  });
  const context: ConnectionContext = {
    table,
    turns: new Turns(TURN_LIMITS),
    heldBytes: new HeldBytes(mostHeld, connections),
    patience,
    tokens,
    log,
    closed,
  };

  function closed(connection: Connection): void {
    connections.delete(connection);
    strangers.delete(connection);
  }

  /** Strangers make room for a newcomer, the oldest first: it may have a token. */
  function opened(socket: Socket): void {
    for (const stranger of strangers) {
      if (strangers.size < mostStrangers && connections.size < maxConnections) break;
      strangers.delete(stranger);
      if (!stranger.isStranger) continue;
      stranger.drop("NOAUTH closed for want of a token, to make room for another client");
      closed(stranger);
    }
    if (connections.size >= maxConnections) {
      turnAway(socket);
      return;
    }
    const connection = new Connection(socket, context);
    connections.add(connection);
    if (connection.isStranger) strangers.add(connection);
  }

  const server = createServer({
    allowHalfOpen: true,
    // What comes while a socket is paused is one chunk, and not as many small ones as a client likes.
    highWaterMark: 1,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
  });
  server.on("connection", opened);
  server.listen({ port, host, backlog: BACKLOG });
  await once(server, "listening");
  server.on("error", (error) => log.error({ err: error }, "the RESP server failed"));
  const checks = setInterval(() => {
    const now = performance.now();
    for (const connection of connections) {
      if (connection.isStranger) strangers.add(connection);
      else strangers.delete(connection);
      connection.check(now);
    }
  }, CHECK_EVERY_MS);
  checks.unref();

  async function closeAll(): Promise<void> {
    const closed = once(server, "close");
    server.close();
    for (const connection of connections) connection.finish();
    const late = setTimeout(() => {
      for (const connection of connections) connection.drop("ERR the server is shutting down");
    }, patience.goodbye);
    await closed;
    clearTimeout(late);
    clearInterval(checks);
  }

  let closing: Promise<void> | undefined;
  return {
    address: server.address() as AddressInfo,
    get connections() {
      return connections.size;
    },
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}

function commandsOf(
  options: RespOptions,
  execute: Execute,
  maxConnections: number,
  connections: { readonly size: number },
): readonly Command[] {
  const { limits, tokens, tokenGuard = new TokenGuard(), version = "0" } = options;
  const startedAt = Date.now();
  const commands: readonly Command[] = [
    rateLimitCommand(options),
    ...namedLimitCommands(limits),
    ...greetingCommands({ tokens, tokenGuard, version }),
    ...transactionCommands(execute),
    clientCommand,
    commandCommand(() => commands),
    configCommand,
    infoCommand({ version, startedAt, maxConnections, connections: () => connections.size }),
  ];
  return commands;
}

/** At once and for good, or who is turned away would hold what others are waiting for. */
function turnAway(socket: Socket): void {
  socket.on("error", () => {});
  socket.write(errorReply("ERR max number of clients reached"), () => socket.destroy());
}
