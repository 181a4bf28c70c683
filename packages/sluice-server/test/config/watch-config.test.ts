/** A configuration is followed as its file changes, by whatever means. */
import { execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { until } from "../../../sluice/test/redis-servers/until.js";
import { isMistaken, mistakesText } from "../../src/config/mistake.js";
import { readConfigFile } from "../../src/config/read-config-file.js";
import { type ConfigWatch, watchConfig } from "../../src/config/watch-config.js";

let folder = "";
let file = "";
let heard: string[] = [];
let look: () => Promise<void> = async () => {};
let watch: ConfigWatch | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-config-"));
  file = join(folder, "sluice.yaml");
  heard = [];
});

afterEach(() => {
  watch?.close();
  watch = undefined;
  rmSync(folder, { recursive: true });
});

/** Looks only when the test says so. */
async function startWatch(): Promise<void> {
  watch = await watchConfig(
    file,
    {
      changed: ({ namespace }) => heard.push(namespace),
      mistaken: (mistakes) => heard.push(mistakesText(mistakes).split("\n")[0]!.replace(file, "file")),
    },
    {
      every: (callback) => {
        look = callback;
        return () => {};
      },
    },
  );
}

async function lookTwice(): Promise<void> {
  await look();
  await look();
}

test("it is read at once", async () => {
  writeFileSync(file, "namespace: one");
  await startWatch();
  expect(heard).toEqual(["one"]);
  await lookTwice();
  expect(heard).toEqual(["one"]);
});

test("a change is read when the file has been the same at two looks", async () => {
  writeFileSync(file, "namespace: one");
  await startWatch();
  writeFileSync(file, "namespace: half-writ");
  await look();
  writeFileSync(file, "namespace: two");
  await look();
  expect(heard).toEqual(["one"]);
  await look();
  expect(heard).toEqual(["one", "two"]);
  await lookTwice();
  expect(heard).toEqual(["one", "two"]);
});

test("an editor may put another file in its place", async () => {
  writeFileSync(file, "namespace: one");
  await startWatch();
  for (const name of ["two", "three"]) {
    writeFileSync(join(folder, "new"), `namespace: ${name}`);
    renameSync(join(folder, "new"), file);
    await lookTwice();
  }
  expect(heard).toEqual(["one", "two", "three"]);
});

test("a link may be turned to another file", async () => {
  for (const name of ["one", "two"]) writeFileSync(join(folder, name), `namespace: ${name}`);
  symlinkSync(join(folder, "one"), file);
  await startWatch();
  symlinkSync(join(folder, "two"), join(folder, "new"));
  renameSync(join(folder, "new"), file);
  await lookTwice();
  expect(heard).toEqual(["one", "two"]);
});

test("a bad file is told of once, and the next good one counts", async () => {
  writeFileSync(file, "namespace: one");
  await startWatch();
  writeFileSync(file, "limits: { a: 5/q }");
  await lookTwice();
  await lookTwice();
  writeFileSync(file, "namespace: two");
  await lookTwice();
  expect(heard).toEqual([
    "one",
    'file:1:16: Expected a unit of time (ms, s, m, h, d, w), and got "q".',
    "two",
  ]);
});

test("so is a file that is gone", async () => {
  writeFileSync(file, "namespace: one");
  await startWatch();
  rmSync(file);
  await lookTwice();
  await lookTwice();
  writeFileSync(file, "namespace: two");
  await lookTwice();
  expect(heard).toEqual(["one", "file: There is no such file.", "two"]);
});

test("SIGHUP reads it again, changed or not", async () => {
  writeFileSync(file, "namespace: one");
  await startWatch();
  process.emit("SIGHUP");
  await watch!.reload();
  expect(heard).toEqual(["one", "one", "one"]);
});

test("a closed watch tells nothing more, and leaves no handler behind", async () => {
  const handlers = process.listenerCount("SIGHUP");
  writeFileSync(file, "namespace: one");
  await startWatch();
  watch!.close();
  expect(process.listenerCount("SIGHUP")).toBe(handlers);
  writeFileSync(file, "namespace: two");
  await lookTwice();
  await watch!.reload();
  expect(heard).toEqual(["one"]);
});

test("by itself it looks twice a second", async () => {
  writeFileSync(file, "namespace: one");
  const changed = new Promise<string>((resolve) => {
    void watchConfig(file, {
      changed: ({ namespace }) => namespace === "two" && resolve(namespace),
      mistaken: () => {},
    }).then((started) => {
      watch = started;
      writeFileSync(file, "namespace: two");
    });
  });
  expect(await changed).toBe("two");
});

test.each([
  ["a folder", () => folder, "This is a folder, and a configuration is a file."],
  ["no file", () => join(folder, "none"), "There is no such file."],
  ["a file as a folder", () => join(file, "x"), "There is no such file."],
  ["no text", () => file, "This file is not text in UTF-8."],
])("%s is a mistake too", async (_, path, message) => {
  writeFileSync(file, Uint8Array.of(0x6c, 0xff, 0xfe));
  const result = await readConfigFile(path());
  expect(isMistaken(result) && result.mistakes).toEqual([{ message }]);
});

describe.skipIf(process.platform === "win32")("what is no regular file", () => {
  const messageOf = async (path: string, patienceMs?: number) => {
    const result = await readConfigFile(path, patienceMs);
    return isMistaken(result) ? result.mistakes[0]!.message : "no mistake";
  };

  test("a device that never ends", async () => {
    expect(await messageOf("/dev/zero")).toBe("A configuration has at most 1 MB, and this file has more.");
  });

  test("a device that is empty", async () => {
    expect(await messageOf("/dev/null")).toContain("The file is empty.");
  });

  test("a pipe that nobody writes to, one that is silent, and one that is written", async () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    expect(await messageOf(pipe)).toContain("The file is empty.");
    // Open for both, since to open it for writing alone waits for who reads.
    const writer = openSync(pipe, "r+");
    expect(await messageOf(pipe, 50)).toBe("This file did not end within 0.05 seconds.");
    writeSync(writer, "namespace: piped\n");
    const reading = readConfigFile(pipe);
    setTimeout(() => closeSync(writer), 50);
    expect(await reading).toMatchObject({ namespace: "piped" });
  });

  test("a pipe that never ends", async () => {
    const yes = spawn("sh", ["-c", `mkfifo ${folder}/endless; exec cat /dev/zero > ${folder}/endless`]);
    await until("the pipe is there", () => existsSync(join(folder, "endless")));
    let message = "The file is empty.";
    // Until the other end is open, there is nothing to read.
    await until("somebody writes", async () => {
      message = await messageOf(join(folder, "endless"));
      return !message.includes("empty");
    });
    expect(message).toContain("at most 1 MB");
    yes.kill();
  });
});

test("a file that is far too large is not read", async () => {
  writeFileSync(file, "#".repeat(4_000_001));
  const result = await readConfigFile(file);
  expect(isMistaken(result) && result.mistakes[0]!.message).toContain("at most 1 MB");
});
