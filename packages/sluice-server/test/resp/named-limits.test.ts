/** The limits of the configuration over RESP, on every kind of store. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RawClient } from "./raw-client.js";
import { redisCli } from "./redis-tools.js";
import { BACKENDS, type Served } from "./serve.js";

const LIMITS = { login: "ip:2/h gcra or user:20/d gcra", city: "city:1/h gcra", never: "user:0/h" };

describe.each(BACKENDS)("on $name", ({ serve }) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve({ limits: LIMITS });
  });
  afterAll(() => served.close());

  async function ask(line: string): Promise<unknown> {
    using client = new RawClient(served.port);
    return await client.ask(...line.split(" "));
  }

  test("consume, peek, refund and reset", async () => {
    const half = 1_800_000;
    const day = 4_320_000;
    expect(await ask("SLUICE.PEEK login ip 1 user ada")).toEqual([1, 2, 0, 0, []]);
    expect(await ask("SLUICE.CONSUME login ip 1 user ada")).toEqual([1, 1, 0, day, []]);
    expect(await ask("sluice.consume login cost 2 ip 1 user ada")).toEqual([
      0,
      1,
      expect.toSatisfy((ms: number) => ms > half - 60_000 && ms <= half),
      expect.toSatisfy((ms: number) => ms > day - 60_000 && ms <= day),
      ["ip:2/h gcra"],
    ]);
    expect(await ask("SLUICE.CONSUME login user ada ip 1")).toEqual([1, 0, 0, expect.any(Number), []]);
    expect(await ask("SLUICE.PEEK login user ada ip 1")).toEqual([
      0,
      0,
      expect.any(Number),
      expect.any(Number),
      ["ip:2/h gcra"],
    ]);
    expect(await ask("SLUICE.REFUND login COST 2 user ada ip 1")).toBe("OK");
    expect(await ask("SLUICE.PEEK login user ada ip 1")).toEqual([1, 2, 0, expect.any(Number), []]);
    expect(await ask("SLUICE.CONSUME login COST 2 user ada ip 1")).toEqual([1, 0, 0, expect.any(Number), []]);
    expect(await ask("SLUICE.RESET login user ada ip 1")).toBe("OK");
    expect(await ask("SLUICE.PEEK login user ada ip 1")).toEqual([1, 2, 0, 0, []]);
  });

  test("what can never pass is told as -1", async () => {
    expect(await ask("SLUICE.CONSUME never user ada")).toEqual([0, 0, -1, 0, ["user:0/h"]]);
    expect(await ask("SLUICE.CONSUME login COST 5 ip 2 user bob")).toEqual([0, 2, -1, 0, ["ip:2/h gcra"]]);
  });

  test("values are text, and more than is asked for does no harm", async () => {
    const allowed = async (line: string) => ((await ask(line)) as readonly unknown[])[0];
    expect(await allowed("SLUICE.CONSUME city city Zürich user ada")).toBe(1);
    expect(await allowed("SLUICE.CONSUME city city Zürich")).toBe(0);
    expect(await allowed("SLUICE.CONSUME city city Zurich")).toBe(1);
  });

  test("the limits there are", async () => {
    expect(await ask("SLUICE.LIMITS")).toEqual([
      ["name", "login", "rule", "ip:2/h gcra or user:20/d gcra", "selectors", ["ip", "user"]],
      ["name", "city", "rule", "city:1/h gcra", "selectors", ["city"]],
      ["name", "never", "rule", "user:0/h", "selectors", ["user"]],
    ]);
  });

  test("in RESP3 by name, as redis-cli shows it", async () => {
    const resp3 = (...args: readonly string[]) => redisCli(served.port, "-3", "--json", ...args);
    expect(JSON.parse((await resp3("SLUICE.CONSUME", "login", "ip", "3", "user", "cy"))[0]!)).toEqual({
      allowed: 1,
      remaining: 1,
      retry_after_ms: 0,
      reset_after_ms: 4_320_000,
      refused_by: [],
    });
    expect(
      JSON.parse((await resp3("SLUICE.CONSUME", "login", "COST", "2", "ip", "3", "user", "cy"))[0]!),
    ).toMatchObject({
      allowed: 0,
      refused_by: ["ip:2/h gcra"],
    });
    expect(JSON.parse((await resp3("SLUICE.LIMITS"))[0]!)).toMatchObject([{ name: "login" }, {}, {}]);
    expect(JSON.parse((await resp3("RATELIMIT", "k", "1000", "3000", "0"))[0]!)).toEqual([1, 2, 0, 1000]);
  });
});
