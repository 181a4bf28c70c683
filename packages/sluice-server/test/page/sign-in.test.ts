/** A server that asks for a token: nothing is shown before it is given, nothing after it is forgotten. */
import { expect } from "vitest";
import { pageTest } from "./page-test.js";
import { Visit } from "./visit.js";

const TOKEN = "a-long-random-text";
/** What the browser itself says of a 401. */
const UNAUTHORIZED = /status of 401/;

const test = pageTest({ config: `{ tokens: [${TOKEN}], limits: { login: "user:5/m" } }` });

test("asks, refuses a wrong one, opens with the right one, keeps it for the tab, and forgets it; the playground needs none", async ({
  browser,
  server,
}) => {
  await using visit = await Visit.at(server.httpPort, browser, { expected: UNAUTHORIZED });
  const { page } = visit;
  const field = page.getByLabel("Token");
  await field.waitFor();
  expect(await field.getAttribute("type")).toBe("password");
  expect(await page.evaluate("document.activeElement.id")).toBe("token");
  expect(await page.locator("#live-content").isVisible()).toBe(false);

  await page.keyboard.type("wrong");
  await page.keyboard.press("Enter");
  await visit.sees(page.locator("#token-mistake"), "The server does not know this token.");
  await field.fill("grüße an alle");
  await field.press("Enter");
  await visit.sees(page.locator("#token-mistake"), "without spaces");

  await field.fill(TOKEN);
  await field.press("Enter");
  await visit.sees(page.locator("#connection-words"), "Live");
  await page.getByRole("link", { name: "login" }).waitFor();
  expect(await field.isVisible()).toBe(false);
  expect(page.url()).not.toContain(TOKEN);
  expect(await page.evaluate("document.cookie + JSON.stringify(localStorage)")).not.toContain(TOKEN);

  await page.reload();
  await visit.sees(page.locator("#connection-words"), "Live");
  await page.getByRole("button", { name: "Sign out" }).click();
  await field.waitFor();
  expect(await page.locator("#live-content").isVisible()).toBe(false);
  expect(await page.locator(".card").count()).toBe(0);
  expect(await page.evaluate("sessionStorage.length")).toBe(0);
  expect(await page.locator("#token-mistake").textContent()).toBe("");
  await page.reload();
  await field.waitFor();

  await page.getByRole("link", { name: "Playground", exact: true }).click();
  await visit.sees(page.locator("#runs-rows tr"), "100/m560");
  expect(await field.isVisible()).toBe(false);
});
