/** Finding and installing redis-server, on a PATH that holds nothing but what each test puts there. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ensureRedisServer } from "./find-redis-server.js";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-path-"));
  symlinkSync("/usr/bin/env", join(folder, "env"));
  vi.stubEnv("PATH", folder);
  vi.stubEnv("REDIS_SERVER", "");
  vi.spyOn(console, "log").mockImplementation(() => {});
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

function put(name: string, script = ""): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}`);
  chmodSync(join(folder, name), 0o755);
}

/** A package manager that knows one package, which brings one program. */
function putManager(name: string, packaged: string, program: string): void {
  put(
    name,
    `echo "$*" >> "${folder}/calls"
     for last; do :; done
     [ "$last" = ${packaged} ] && /bin/cp "${folder}/${name}" "${folder}/${program}"`,
  );
}

function calls(): readonly string[] {
  return readFileSync(join(folder, "calls"), "utf8").trim().split("\n");
}

test("redis-server is taken before valkey-server", () => {
  put("valkey-server");
  expect(ensureRedisServer()).toBe(join(folder, "valkey-server"));
  put("redis-server");
  expect(ensureRedisServer()).toBe(join(folder, "redis-server"));
});

test("REDIS_SERVER names another one", () => {
  vi.stubEnv("REDIS_SERVER", "/opt/redis-6.2/redis-server");
  expect(ensureRedisServer()).toBe("/opt/redis-6.2/redis-server");
});

test("a missing one is installed with apt-get, and this is said", () => {
  putManager("apt-get", "redis-server", "redis-server");
  expect(ensureRedisServer()).toBe(join(folder, "redis-server"));
  const options = "-o DPkg::Lock::Timeout=120";
  expect(calls()).toEqual([`${options} update`, `${options} install -y redis-server`]);
  expect(console.log).toHaveBeenCalledWith(
    "redis-server is not installed; installing redis-server with apt-get …",
  );
});

test("Valkey is installed where Redis is no longer offered", () => {
  putManager("pacman", "valkey", "valkey-server");
  expect(ensureRedisServer()).toBe(join(folder, "valkey-server"));
  expect(calls()).toEqual(["-Sy --noconfirm redis", "-Sy --noconfirm valkey"]);
});

test.each([
  ["there is no package manager", () => {}, "run these tests."],
  [
    "the package manager fails",
    () => put("apk", "exit 1"),
    "run these tests (installing it with apk failed).",
  ],
])("one sentence says what to install where %s", (_, prepare, end) => {
  prepare();
  expect(ensureRedisServer).toThrow(`Install redis-server or valkey-server and put it on the PATH to ${end}`);
});
