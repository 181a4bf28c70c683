/** `sluice explain` and `sluice check`. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sluice, sluiceJson } from "./sluice-command.js";

const folder = mkdtempSync(join(tmpdir(), "sluice-cli-"));
beforeAll(async () => {
  writeFileSync(
    join(folder, "good.yaml"),
    'store: redis://:geheim@h\ntokens: [geheim-geheim]\nlimits:\n  login: "ip:5/m or user:20/h"\n',
  );
  writeFileSync(join(folder, "bad.yaml"), "limits:\n  login: ip:5/min\n  other: { rule: 1/s, cots: 2 }\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("explain", () => {
  test("says what a rule means", async () => {
    const { code, out, err } = await sluice(["explain", "ip:5/m or user:20/h"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("Refuses when any of these is over:\n    - Each ip: at most 5 in any minute\n");
    expect(out).toContain('RateLimit-Policy: "ip:5/m";q=5;w=60,"user:20/h";q=20;w=3600');
  });

  test("takes a rule without quotes", async () => {
    expect((await sluice(["explain", "10/s", "burst", "20"])).out).toMatch(/^10\/s burst 20\n/);
  });

  test("as JSON, with the names that its help tells", async () => {
    const { code, json } = await sluiceJson(["explain", "user:10/5m"]);
    const help = (await sluice(["explain", "--help"])).out;
    expect(code).toBe(0);
    const { limits, ...others } = json as { limits: object[] };
    for (const name of [...Object.keys(others), ...Object.keys(limits[0]!)]) expect(help).toContain(name);
    expect(limits[0]).toMatchObject({
      rule: "user:10/5m",
      algorithm: "sliding-log",
      mostInAnyWindow: 10,
      exampleKey: "sluice:{user:user-12345}::sliding-log2,10,300000000",
    });
  });
});

describe("check", () => {
  test("praises a good file, and shows no secret", async () => {
    expect(await sluice(["check", "good.yaml"], { cwd: folder })).toEqual({
      code: 0,
      out: "good.yaml: fine: 1 limit, 1 token, namespace sluice, store redis://h:6379.\n",
      err: "",
    });
  });

  test("shows all mistakes of a bad one", async () => {
    expect(await sluice(["check", "bad.yaml"], { cwd: folder })).toEqual({
      code: 1,
      out: "",
      err: `bad.yaml:2:15: Expected a unit of time (ms, s, m, h, d, w), and got "min".

  2 |   login: ip:5/min
    |               ^^^

  Did you mean "ip:5/m"?

bad.yaml:3:23: A limit has rule, cost, shadow, countRefused, onFailure, deadlineMs, and "cots" is none of them.

  3 |   other: { rule: 1/s, cots: 2 }
    |                       ^^^^

  Did you mean "cost"?

`,
    });
  });

  test("ends with 2 when a file is not there", async () => {
    const { code, err } = await sluice(["check", "good.yaml", "none.yaml"], { cwd: folder });
    expect([code, err]).toEqual([2, "none.yaml: There is no such file.\n\n"]);
  });

  test.skipIf(process.platform === "win32")("ends with 2 when a file never ends", async () => {
    const { code, err } = await sluice(["check", "/dev/zero"]);
    const message = "/dev/zero: A configuration has at most 1 MB, and this file has more.\n\n";
    expect([code, err]).toEqual([2, message]);
  });

  test("as JSON", async () => {
    expect(await sluiceJson(["check", "good.yaml", "bad.yaml"], { cwd: folder })).toEqual({
      code: 1,
      json: {
        ok: false,
        files: [
          {
            file: "good.yaml",
            ok: true,
            namespace: "sluice",
            store: "redis://h:6379",
            limits: [{ name: "login", rule: "ip:5/m or user:20/h" }],
          },
          {
            file: "bad.yaml",
            ok: false,
            mistakes: [
              {
                message: 'Expected a unit of time (ms, s, m, h, d, w), and got "min".',
                suggestion: 'Did you mean "ip:5/m"?',
                line: 2,
                column: 15,
                length: 3,
              },
              {
                message:
                  'A limit has rule, cost, shadow, countRefused, onFailure, deadlineMs, and "cots" is none of them.',
                suggestion: 'Did you mean "cost"?',
                line: 3,
                column: 23,
                length: 4,
              },
            ],
          },
        ],
      },
    });
  });
});
