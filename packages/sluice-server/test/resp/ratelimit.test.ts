/** RATELIMIT as the protocol defines it, through the real redis-cli, on every kind of store. */
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { rawCommand } from "../../../sluice/test/redis-servers/raw-command.js";
import { at, type Command, ERRORS, SECOND, VECTORS } from "./ratelimit-vectors.js";
import { RawClient } from "./raw-client.js";
import { redisCli } from "./redis-tools.js";
import { BACKENDS, type Served } from "./serve.js";

describe.each(BACKENDS)("on $name", ({ name, serve }) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
  });
  afterAll(() => served.close());

  async function rateLimit(...args: Command): Promise<readonly string[]> {
    return redisCli(served.port, "RATELIMIT", ...args.map(String));
  }

  test.each(VECTORS.map((vector, number) => ({ ...vector, number })))("$name", async ({ steps, number }) => {
    for (const [args, expected] of steps) {
      const keys = Math.floor(args.length / 3);
      const ownKeys = args.map((arg, place) =>
        place % 3 === 0 && place < 3 * keys ? `${number}${arg}` : arg,
      );
      expect((await rateLimit(...ownKeys)).map(Number), args.join(" ")).toEqual(expected);
    }
  });

  test.each(ERRORS)("%j is an error, and changes nothing", async (args, error) => {
    const [line] = await rateLimit(...args);
    expect(line).toMatch(error);
    using client = new RawClient(served.port);
    expect(await client.ask("RATELIMIT", ...args.map(String))).toBeInstanceOf(Error);
  });

  test("after all errors, nothing is charged", async () => {
    expect((await rateLimit("k", 1000, 1000)).map(Number)).toEqual([1, 0, 1000, 1000]);
    expect((await rateLimit("k2", 1000, 1000)).map(Number)).toEqual([1, 0, 1000, 1000]);
  });

  test("on the server's own clock, what was taken is earned back", async () => {
    expect((await rateLimit("own", 3600 * SECOND, 7200 * SECOND)).map(Number)).toEqual([
      1,
      1,
      0,
      3600 * SECOND,
    ]);
    const [allowed, remaining, ready, reset] = (await rateLimit("own", 3600 * SECOND, 7200 * SECOND)).map(
      Number,
    );
    expect([allowed, remaining]).toEqual([1, 0]);
    expect(ready).toBeGreaterThan(3500 * SECOND);
    expect(ready).toBeLessThanOrEqual(3600 * SECOND);
    expect(reset! - ready!).toBe(3600 * SECOND);
  });

  test("any bytes are a key", async () => {
    using client = new RawClient(served.port);
    const ask = (key: string) => {
      client.send(
        `*4\r\n$9\r\nratelimit\r\n$${key.length}\r\n${key}\r\n$4\r\n1000\r\n$13\r\n1000000000000\r\n`,
      );
      return client.reply();
    };
    expect(await ask("\xff\0\r\n")).toEqual([1, 999_999_999, 0, 1000]);
    expect(await ask("\xfe\0\r\n")).toEqual([1, 999_999_999, 0, 1000]);
  });

  if (name === "Redis") {
    test("a key of another type", async () => {
      const { port } = inject("servers").single;
      await rawCommand(port, [["RPUSH", `${served.namespace}:{ratelimit:list}:gcra2`, "x"]]);
      const [line] = await rateLimit("list", SECOND, SECOND);
      expect(line).toBe("WRONGTYPE Operation against a key holding the wrong kind of value");
      const [stamped] = await rateLimit("list", SECOND, SECOND, "fine", SECOND, SECOND, at(0));
      expect(stamped).toMatch(/^WRONGTYPE /);
      expect((await rateLimit("fine", SECOND, SECOND, at(0))).map(Number)).toEqual([1, 0, SECOND, SECOND]);
    });
  }
});
