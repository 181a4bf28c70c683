/** A page of another site, in a real browser, tries whatever a page can: nothing is charged, and nothing is read. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sluice, startSluice } from "../serve/sluice-process.js";
import { launchChromium } from "./chromium.js";

/** Leads to this machine, as a name does whose owner has made it so. */
const FOREIGN = "evil.example";
const elsewhere = createServer((_, response) => {
  response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>elsewhere</title>");
});
let browser: Browser;
let server: Sluice;
beforeAll(async () => {
  elsewhere.listen(0, "127.0.0.1");
  await once(elsewhere, "listening");
  server = await startSluice({ config: "limits: { all: 100/h }" });
  browser = await launchChromium(`--host-resolver-rules=MAP ${FOREIGN} 127.0.0.1`);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
  elsewhere.close();
  elsewhere.closeAllConnections();
});

async function remaining(): Promise<unknown> {
  const decision = (await (await server.post("/v1/limits/all/peek", {})).json()) as { remaining: number };
  return decision.remaining;
}

/** Each resolves whatever comes of it, with what could be read. */
const ATTEMPTS = `(target) => {
  const gate = target + "/v1/gate/all", consume = target + "/v1/limits/all/consume";
  const ended = (element, address) => new Promise((resolve) => {
    element.onload = element.onerror = () => resolve("");
    element.src = address;
    document.body.append(element);
  });
  const read = (address, options) =>
    fetch(address, options).then((answer) => answer.text().then((text) => answer.type + " " + text), () => "");
  const form = document.createElement("form");
  const frame = document.createElement("iframe");
  const isSent = new Promise((resolve) => { frame.onload = () => resolve(""); });
  frame.name = form.target = "hidden";
  form.method = "post";
  form.action = consume;
  document.body.append(form, frame);
  form.submit();
  navigator.sendBeacon(consume, "{}");
  return Promise.all([
    isSent,
    ended(new Image(), gate),
    ended(document.createElement("script"), gate),
    ended(document.createElement("iframe"), gate),
    read(gate),
    read(gate, { mode: "no-cors" }),
    read(consume, { method: "POST", mode: "no-cors" }),
    read(consume, { method: "POST", mode: "no-cors", body: "{}" }),
    read(consume, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }),
    read(target + "/v1/limits"),
    read(target + "/metrics"),
  ]);
}`;

async function attempts(page: Page, target: string): Promise<readonly string[]> {
  return await page.evaluate(`(${ATTEMPTS})(${JSON.stringify(target)})`);
}

test.each(["localhost", "127.0.0.1"])("a page of %s, on another port", async (host) => {
  const page = await browser.newPage();
  await page.goto(`http://${host}:${(elsewhere.address() as AddressInfo).port}/`);
  const read = await attempts(page, `http://127.0.0.1:${server.httpPort}`);
  expect(read.filter((text) => text.trim() !== "" && text.trim() !== "opaque")).toEqual([]);
  expect(await remaining()).toBe(100);
  await page.close();
});

test("a page whose name was made to lead here", async () => {
  const page = await browser.newPage();
  const target = `http://${FOREIGN}:${server.httpPort}`;
  expect((await page.goto(`${target}/`))?.status()).toBe(421);
  const read = await attempts(page, target);
  for (const text of read.filter((one) => one !== "")) expect(text).toContain("Misdirected Request");
  expect(await remaining()).toBe(100);
  await page.close();
});

test("a link of another site leads to the page", async () => {
  const page = await browser.newPage();
  await page.goto(`http://localhost:${(elsewhere.address() as AddressInfo).port}/`);
  const link = `http://127.0.0.1:${server.httpPort}/`;
  await page.evaluate(`location.href = ${JSON.stringify(link)}`);
  await page.getByRole("link", { name: "all" }).waitFor();
  await page.close();
});
