/** What clients ask about a server before they use it: COMMAND, INFO and CONFIG GET. */
import { array, bulkText, integer, map, nil, type Protocol, simple } from "../wire/reply.js";
import { type Command, quoted, ReplyError } from "./command.js";

export interface ServerFacts {
  readonly version: string;
  readonly startedAt: number;
  readonly maxConnections: number;
  connections(): number;
}

/** Clients choose by it what they send; ours are as new as this. */
const REDIS_VERSION = "7.2.0";

export function infoCommand({ version, startedAt, maxConnections, connections }: ServerFacts): Command {
  return {
    name: "INFO",
    arity: -1,
    summary: "How the server stands",
    run: () =>
      bulkText(
        [
          "# Server",
          `redis_version:${REDIS_VERSION}`,
          `sluice_version:${version}`,
          "redis_mode:standalone",
          `process_id:${process.pid}`,
          `uptime_in_seconds:${Math.floor((Date.now() - startedAt) / 1000)}`,
          "",
          "# Clients",
          `connected_clients:${connections()}`,
          `maxclients:${maxConnections}`,
          "",
          "# Memory",
          `used_memory_rss:${process.memoryUsage.rss()}`,
          "",
          "# Persistence",
          "loading:0",
          "",
          "# Replication",
          "role:master",
          "connected_slaves:0",
          "",
        ].join("\r\n"),
      ),
  };
}

/** As much as redis-benchmark asks for. */
const SETTINGS: Readonly<Record<string, string>> = { save: "", appendonly: "no", databases: "1" };

export const configCommand: Command = {
  name: "CONFIG",
  arity: -2,
  summary: "CONFIG GET tells the settings that tools ask for",
  run(args, { protocol }) {
    if (args[1]!.toUpperCase() !== "GET") {
      throw new ReplyError(`ERR unknown subcommand ${quoted(args[1]!)}. CONFIG knows GET.`);
    }
    const asked = args.slice(2).map((name) => name.toLowerCase());
    return map(
      protocol,
      Object.entries(SETTINGS)
        .filter(([name]) => asked.includes(name) || asked.includes("*"))
        .map(([name, value]) => [name, bulkText(value)]),
    );
  },
};

/** `commands` are all there are, this one among them. */
export function commandCommand(commands: () => readonly Command[]): Command {
  const named = (name: string) =>
    commands().find((command) => command.name.toLowerCase() === name.toLowerCase());

  return {
    name: "COMMAND",
    arity: -1,
    summary: "The commands of this server",
    run(args, { protocol }) {
      const names = args.slice(2);
      switch ((args[1] ?? "").toUpperCase()) {
        case "":
          return array(commands().map(describe));
        case "COUNT":
          return integer(commands().length);
        case "LIST":
          return array(commands().map(({ name }) => bulkText(name.toLowerCase())));
        case "INFO": {
          const chosen = names.length === 0 ? commands() : names.map(named);
          return array(chosen.map((command) => (command ? describe(command) : nil(protocol))));
        }
        case "DOCS": {
          const chosen = names.length === 0 ? commands() : names.map(named);
          return map(
            protocol,
            chosen.flatMap((command) =>
              command ? [[command.name.toLowerCase(), docsOf(command, protocol)]] : [],
            ),
          );
        }
        default:
          throw new ReplyError(
            `ERR unknown subcommand ${quoted(args[1]!)}. COMMAND knows COUNT, LIST, INFO, DOCS.`,
          );
      }
    },
  };
}

/** As Redis 7 tells it: name, arity, flags, keys, then categories, tips, key specifications and subcommands. */
function describe({ name, arity, forStrangers, keys = [0, 0, 0] }: Command): string {
  const flags = forStrangers ? ["fast", "no_auth"] : ["fast"];
  return array([
    bulkText(name.toLowerCase()),
    integer(arity),
    array(flags.map(simple)),
    ...keys.map(integer),
    ...Array.from({ length: 4 }, () => array([])),
  ]);
}

function docsOf({ summary }: Command, protocol: Protocol): string {
  return map(protocol, [
    ["summary", bulkText(summary)],
    ["since", bulkText("0.1.0")],
    ["group", bulkText("generic")],
  ]);
}
