/** The packed tarballs of the server and the library, unpacked where npm would put them, and used there. */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "sluice-server-packaging-"));
const modules = join(folder, "node_modules");
const command = join(modules, "sluice-server/bin/sluice.js");

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

function unpack(name: string): Packed {
  const args = ["pack", "--json", "--pack-destination", folder, "-w", name];
  const [packed] = JSON.parse(execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: "pipe" }));
  mkdirSync(join(modules, name), { recursive: true });
  execFileSync("tar", ["-xzf", packed.filename, "-C", join(modules, name), "--strip-components=1"], {
    cwd: folder,
  });
  return packed;
}

let packed: Packed;
beforeAll(() => {
  unpack("sluice");
  packed = unpack("sluice-server");
  // What it depends on is there already, and taken as it is.
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (!name.startsWith(".") && !name.startsWith("sluice"))
      symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("holds the command, the sample and the page, and no source and no test", () => {
  const paths = packed.files.map(({ path }) => path);
  for (const path of [
    "bin/sluice.js",
    "sample/sluice.yaml",
    "dist/page/index.html",
    "dist/page/page.js",
    "README.md",
  ])
    expect(paths).toContain(path);
  expect(paths.filter((path) => /\.test\.|^(src|test|page|scripts)\//.test(path))).toEqual([]);
});

test("the command works", () => {
  const out = execFileSync(process.execPath, [command, "explain", "user:10/s"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(out).toContain("Each user: at most 10 in any second");
});

test("the server starts, decides and shows its page", async () => {
  const args = [command, "serve", "--json", "--resp", "127.0.0.1:0", "--http", "127.0.0.1:0"];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  try {
    const { value: line } = await child.stdout.setEncoding("utf8")[Symbol.asyncIterator]().next();
    const { http } = JSON.parse(line) as { http: string };
    const gate = await fetch(`http://${http}/v1/gate/login?ip=192.0.2.1&user=ada`);
    expect(gate.status).toBe(204);
    expect(await (await fetch(`http://${http}/`)).text()).toContain("<!doctype html>");
  } finally {
    child.kill();
  }
});
