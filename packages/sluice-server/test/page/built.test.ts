/** What is built: small, complete, and with nothing in it that a strict policy forbids. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("../../dist/page", import.meta.url));
const read = (name: string) => readFileSync(join(folder, name), "utf8");

test("is these files, together under 150 kB compressed", () => {
  const names = readdirSync(folder).sort();
  expect(names).toEqual(["index.html", "page.js", "style.css", "worker.js"]);
  const bytes = names.map((name) => gzipSync(readFileSync(join(folder, name))).length);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000);
});

test("fetches nothing from elsewhere", () => {
  const namespaces = /http:\/\/www\.w3\.org\/\d+\/\w+/g;
  for (const name of ["index.html", "style.css", "page.js"]) {
    expect(read(name).replace(namespaces, ""), name).not.toMatch(/https?:\/\/|@import|\burl\((?!data:)/);
  }
  expect(read("worker.js")).not.toMatch(/\bfetch\(|XMLHttpRequest|importScripts|\bimport\(/);
});

test("has no script or style in its markup, and makes no markup of data", () => {
  const html = read("index.html");
  expect(html.match(/<script[^>]*>[^<]*/g)).toEqual(['<script type="module" src="page/page.js">']);
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i);
  for (const name of ["page.js", "worker.js"]) {
    expect(read(name), name).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\b/,
    );
  }
});

test("every element that a script asks for is there, once", () => {
  const ids = [...read("index.html").matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!);
  expect(new Set(ids).size).toBe(ids.length);
  const named = [...read("index.html").matchAll(/\s(?:for|aria-labelledby|aria-describedby)="([^"]+)"/g)];
  for (const id of named.flatMap(([, names]) => names!.split(" "))) expect(ids).toContain(id);
});
