import { expect, test } from "vitest";
import type { Config } from "../config/config.js";
import type { ConfigListener } from "../config/watch-config.js";
import { UsageError } from "../usage-error.js";
import { followConfig } from "./follow-config.js";
import type { Server } from "./server.js";

const NO_CHANGES = { added: [], removed: [], changed: [], tokensChanged: false, later: [] };

function named(namespace: string): Config {
  return { namespace, store: { url: "memory" }, tokens: [], limits: new Map() };
}

/** Begins with "one"; the test says what comes later. */
function trial(reconfigure: (config: Config) => void = () => {}) {
  const taken: string[] = [];
  const logged: string[] = [];
  const note = (facts: object, message: string) => logged.push(`${message} ${JSON.stringify(facts)}`);
  const log = { info: note, warn: note, error: note };
  let listener!: ConfigListener;
  let isClosed = false;
  const watch = async (_: string, given: ConfigListener) => {
    listener = given;
    listener.changed(named("one"));
    return {
      reload: async () => {},
      close: () => {
        isClosed = true;
      },
    };
  };
  const server = {
    reconfigure(config: Config) {
      reconfigure(config);
      taken.push(config.namespace);
      return NO_CHANGES;
    },
  } as Partial<Server> as Server;
  const changed = (to: string) => listener.changed(named(to));
  return { taken, logged, log, watch, server, changed, isClosed: () => isClosed };
}

test("what changes while the server starts is taken when it has started", async () => {
  const { taken, log, watch, server, changed } = trial();
  async function start({ namespace }: Config): Promise<Server> {
    taken.push(`start ${namespace}`);
    changed("two");
    changed("three");
    return server;
  }
  await followConfig("file", { start, log, watch });
  changed("four");
  expect(taken).toEqual(["start one", "two", "three", "four"]);
});

test("a server that cannot start is followed no more", async () => {
  const { log, watch, isClosed } = trial();
  const start = async () => {
    throw new UsageError("Taken.");
  };
  await expect(followConfig("file", { start, log, watch })).rejects.toThrow("Taken.");
  expect(isClosed()).toBe(true);
});

test("whatever a configuration makes the server throw, it is logged and the next one taken", async () => {
  const { taken, logged, log, watch, server, changed } = trial(({ namespace }) => {
    if (namespace === "two") throw new TypeError("Surprise.");
  });
  await followConfig("file", { start: async () => server, log, watch });
  changed("two");
  changed("three");
  expect(taken).toEqual(["three"]);
  expect(logged[0]).toBe(
    'the configuration is mistaken, and the last good one stays in force {"reason":"Surprise."}',
  );
});
