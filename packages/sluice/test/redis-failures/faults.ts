/** What may happen to a server, each with its beginning and its end. */
import type { FailureReason } from "../../src/store/wrap/store-unavailable.js";
import { rawCommand } from "../redis-servers/raw-command.js";
import type { RedisServer, ServerOptions } from "../redis-servers/redis-server.js";
import { until } from "../redis-servers/until.js";
import type { Trial } from "./trial.js";

type Place = Pick<Trial, "server" | "relay">;

export interface Fault {
  readonly name: string;
  readonly server?: ServerOptions;
  readonly relayed?: true;
  begin(place: Place): Promise<unknown>;
  /** Redis is back when this is done. */
  end(place: Place): Promise<unknown>;
  /** Why the store says that it cannot decide; a moment later it is also `resting`. */
  readonly reasons: readonly FailureReason[];
  /** Redis still answers some calls, so that it is asked again and again. */
  readonly partly?: true;
}

/** How a client is told that its connection is lost differs from library to library. */
const LOST: readonly FailureReason[] = ["not connected", "refused", "deadline"];

export const KILLED: Fault = {
  name: "killed with SIGKILL and started again",
  begin: ({ server }) => server.kill(),
  end: ({ server }) => server.restart(),
  reasons: LOST,
};

export const STOPPED: Fault = {
  name: "stopped with SIGSTOP",
  begin: async ({ server }) => server.pause(),
  end: async ({ server }) => server.resume(),
  reasons: ["deadline"],
};

export const OUT_OF_MEMORY: Fault = {
  name: "out of memory",
  begin: ({ server }) => server.command("CONFIG", "SET", "maxmemory", "1"),
  end: ({ server }) => server.command("CONFIG", "SET", "maxmemory", "0"),
  reasons: ["refused"],
  partly: true,
};

export const READ_ONLY: Fault = {
  name: "a replica that takes no writes",
  begin: ({ server }) => server.command("REPLICAOF", server.host, "1"),
  end: ({ server }) => server.command("REPLICAOF", "NO", "ONE"),
  reasons: ["refused"],
  partly: true,
};

const LOADING: Fault = {
  name: "loading its keys",
  server: { args: ["--enable-debug-command", "yes"] },
  async begin({ server }) {
    await server.command("DEBUG", "POPULATE", "20000");
    await server.command("CONFIG", "SET", "loading-process-events-interval-bytes", "1024");
    await server.command("CONFIG", "SET", "key-load-delay", "1000");
    server.command("DEBUG", "RELOAD").catch(() => {});
    await until("the server loads", () => answers(server, /^LOADING/, "GET", "key"));
  },
  async end({ server }) {
    await server.command("CONFIG", "SET", "key-load-delay", "0");
    await until("the server has loaded", async () => (await server.command("GET", "key")) === null);
  },
  reasons: ["refused"],
};

const LOADING_WHEN_BACK: Fault = {
  ...LOADING,
  name: "killed, and loading its keys when it is back",
  server: {
    args: [
      ...["--enable-debug-command", "yes", "--key-load-delay", "1000"],
      ...["--loading-process-events-interval-bytes", "1024"],
    ],
  },
  async begin({ server }) {
    await server.command("DEBUG", "POPULATE", "20000");
    await server.command("SAVE");
    void server.restart();
    await until("the server loads", () => answers(server, /^LOADING/, "GET", "key"));
  },
  reasons: LOST,
};

const BUSY: Fault = {
  name: "busy with a script that does not end",
  server: { args: ["--lua-time-limit", "20"] },
  async begin({ server }) {
    server.command("EVAL", "while true do end", "0").catch(() => {});
    await until("the server is busy", () => answers(server, /^BUSY/, "PING"));
  },
  end: ({ server }) => server.command("SCRIPT", "KILL"),
  reasons: ["refused"],
};

const NO_SCRIPTS: Fault = {
  name: "no permission to run scripts",
  begin: ({ server }) => server.command("ACL", "SETUSER", "default", "-@scripting"),
  end: ({ server }) => server.command("ACL", "SETUSER", "default", "+@scripting"),
  reasons: ["refused"],
};

const NO_READING: Fault = {
  name: "no permission to read",
  begin: ({ server }) => server.command("ACL", "SETUSER", "default", "-@read"),
  end: ({ server }) => server.command("ACL", "SETUSER", "default", "+@read"),
  reasons: ["unreadable"],
  partly: true,
};

const PASSWORD = "right";
const CHANGED = "changed";

const WRONG_PASSWORD: Fault = {
  name: "a wrong password",
  server: { password: PASSWORD },
  async begin({ server }) {
    await server.command("CONFIG", "SET", "requirepass", CHANGED);
    const login = ["AUTH", CHANGED];
    await rawCommand(server.port, [login, ["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]]);
  },
  end: ({ server }) =>
    rawCommand(server.port, [
      ["AUTH", CHANGED],
      ["CONFIG", "SET", "requirepass", PASSWORD],
    ]),
  reasons: LOST,
};

const SILENT: Fault = {
  name: "a connection that falls silent, and is closed when the server is back",
  relayed: true,
  begin: async ({ relay }) => relay.fallSilent(),
  end: async ({ relay }) => {
    relay.pass();
    relay.cut();
  },
  reasons: ["deadline", ...LOST],
};

const NEVER_ANSWERED: Fault = {
  ...SILENT,
  name: "connections that are accepted and never answered",
  begin: async ({ relay }) => {
    relay.fallSilent();
    relay.cut();
  },
};

/** All but the two above that end the server or stop it. */
export const OTHER_FAULTS: readonly Fault[] = [
  OUT_OF_MEMORY,
  READ_ONLY,
  LOADING,
  LOADING_WHEN_BACK,
  BUSY,
  NO_SCRIPTS,
  NO_READING,
  WRONG_PASSWORD,
  SILENT,
  NEVER_ANSWERED,
];

/** Whether the server answers a command with such an error. */
async function answers(server: RedisServer, error: RegExp, ...command: string[]): Promise<boolean> {
  return server.command(...command).then(
    () => false,
    ({ message }: Error) => error.test(message),
  );
}
