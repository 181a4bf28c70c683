/** Who is being limited: found, looked at, reset and refunded in a real browser. */
import { expect } from "vitest";
import { type Sluice, startSluice } from "../serve/sluice-process.js";
import { pageTest } from "./page-test.js";
import { consume } from "./traffic.js";
import { Visit } from "./visit.js";

const CONFIG = `
limits:
  login: "ip:5/m or user:20/h"
  mail: "user:3/h"
  all: "100/s"
`;
const HOSTILE = '<img src=x onerror="alert(1)">';

const test = pageTest({ config: CONFIG }, async (server) => {
  await consume(server, 9, "SLUICE.CONSUME", "login", "ip", "192.0.2.7", "user", "ada");
  await consume(server, 4, "SLUICE.CONSUME", "login", "ip", "192.0.2.8", "user", HOSTILE);
  await consume(server, 1, "SLUICE.CONSUME", "login", "ip", "192.0.2.9", "user", "a\u202eb");
});

async function isAllowed(server: Sluice, limit: string, facts: object): Promise<boolean> {
  const answer = await server.post(`/v1/limits/${limit}/peek`, { facts });
  return ((await answer.json()) as { readonly allowed: boolean }).allowed;
}

test("the busiest and the most refused are listed, with what their counts are worth", async ({ visit }) => {
  const { page } = visit;
  const busiest = page.getByRole("table", { name: "Busiest" }).getByRole("row");
  await visit.sees(busiest.nth(1), "ip 192.0.2.7 user ada9");
  expect(await busiest.allTextContents()).toEqual([
    "identityrequests",
    "ip 192.0.2.7 user ada9",
    `ip 192.0.2.8 user ${HOSTILE}4`,
    "ip 192.0.2.9 user a\\u{202e}b1",
  ]);
  const refused = page.getByRole("table", { name: "Most refused" }).getByRole("row");
  expect(await refused.allTextContents()).toEqual(["identityrefusals", "ip 192.0.2.7 user ada4"]);
  expect(await page.locator("#identities-note").textContent()).toBe(
    "Requests over the last 150 to 300 seconds; every count is exact.",
  );

  // A hostile value is text wherever it is shown.
  await page.locator("#busiest-rows").getByRole("button", { name: HOSTILE }).click();
  await visit.sees(page.locator("#standing-sentence"), "A request would be admitted now, and 1 in all.");
  await visit.sees(page.locator("#identity-name"), HOSTILE);
  await page.getByRole("button", { name: "Reset…" }).click();
  await visit.sees(page.getByRole("dialog"), HOSTILE);
  expect(await page.locator("img").count()).toBe(0);
  await page.keyboard.press("Escape");
});

test("a reset frees the identity, by keyboard alone, and not before it is confirmed", async ({
  server,
  visit,
}) => {
  const { page } = visit;
  const facts = { ip: "192.0.2.7", user: "ada" };
  expect(await isAllowed(server, "login", facts)).toBe(false);
  await page.locator("#most-refused-rows").getByRole("button").press("Enter");
  await visit.sees(
    page.locator("#standing-sentence"),
    /^A request would be refused now, and admitted in .* s\.$/,
  );
  expect(await page.locator("#standing-rows tr").first().textContent()).toMatch(
    /^ip:5\/m05in [\d.]+ sin [\d.]+ s$/,
  );

  const reset = page.getByRole("button", { name: "Reset…" });
  await reset.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Reset this identity?" });
  await dialog.waitFor();
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Cancel");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  expect(await page.evaluate("document.activeElement.id")).toBe("reset");
  expect(await isAllowed(server, "login", facts)).toBe(false);

  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await visit.sees(page.locator("#standing-sentence"), "A request would be admitted now, and 5 in all.");
  await visit.sees(page.locator("#announcement"), "Reset: ip 192.0.2.7, user ada.");
  expect(await isAllowed(server, "login", facts)).toBe(true);
});

test("a refund gives back as many as it says", async ({ server, visit }) => {
  await consume(server, 3, "SLUICE.CONSUME", "mail", "user", "bob");
  await visit.go("#live?limit=mail");
  const { page } = visit;
  await page.locator("#busiest-rows").getByRole("button", { name: "bob" }).click();
  await visit.sees(page.locator("#standing-sentence"), "refused");
  await page.getByLabel("units").fill("2");
  await page.getByLabel("units").press("Enter");
  await visit.sees(page.getByRole("dialog"), "mail gives user bob back 2 units");
  await page.getByRole("button", { name: "Refund", exact: true }).click();
  await visit.sees(page.locator("#standing-sentence"), "A request would be admitted now, and 2 in all.");

  // A limit on all calls together has no identities.
  await page.getByRole("link", { name: "all" }).click();
  await visit.sees(page.locator("#detail-name"), "all");
  expect(await page.locator("#identities").isVisible()).toBe(false);
});

test("values too long to keep are told apart, and the page says why it can do nothing about them", async ({
  server,
  visit,
}) => {
  const long = "x".repeat(5_000);
  await consume(server, 5, "SLUICE.CONSUME", "mail", "user", `${long}1`);
  await consume(server, 4, "SLUICE.CONSUME", "mail", "user", `${long}2`);
  await visit.go("#live?limit=mail");
  const { page } = visit;
  const rows = page.locator("#busiest-rows tr", { hasText: "xxx" });
  await visit.sees(rows.nth(1), /^user x{180}… #[\w-]{8}4$/);
  await visit.sees(rows.nth(0), /^user x{180}… #[\w-]{8}5$/);
  await rows.nth(0).getByRole("button").click();
  await visit.sees(page.locator("#identity-cut"), "too long to be kept");
  expect(await page.locator("#identity-cut").isVisible()).toBe(true);
  expect(await page.getByRole("button", { name: /Reset|Refund/ }).count()).toBe(0);
  expect(await page.locator("#identity-problem").textContent()).toBe("");
  await page.locator("#busiest-rows").getByRole("button", { name: "bob" }).click();
  await visit.sees(page.locator("#standing-sentence"), "admitted now");
  expect(await page.locator("#identity-cut").isVisible()).toBe(false);
});

test("where everybody can reach the server and nobody has a token, it says why nothing can be changed", async ({
  browser,
}) => {
  await using open = await startSluice({
    config: CONFIG,
    args: ["--http", "0.0.0.0:0", "--open-to-everyone"],
  });
  await consume(open, 1, "SLUICE.CONSUME", "mail", "user", "bob");
  await using other = await Visit.at(open.httpPort, browser, { fragment: "#live?limit=mail" });
  const { page } = other;
  await page.locator("#busiest-rows").getByRole("button").click();
  await other.sees(page.locator("#standing-sentence"), "admitted now");
  expect(await page.locator("#no-changes").isVisible()).toBe(true);
  expect(await page.getByRole("button", { name: /Reset|Refund/ }).count()).toBe(0);
});
