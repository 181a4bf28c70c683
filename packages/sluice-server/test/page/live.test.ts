/** The live view in a real browser, on a real server with real traffic. */
import { expect } from "vitest";
import { startServer } from "../../../sluice/test/redis-servers/redis-server.js";
import { startSluice } from "../serve/sluice-process.js";
import { pageTest } from "./page-test.js";
import { consume, metric, steadily } from "./traffic.js";
import { Visit } from "./visit.js";

const CONFIG = `
limits:
  login: "ip:5/m or user:20/h"
  trial: { rule: "user:2/h", shadow: true }
  quiet: "1000/s"
`;

const test = pageTest({ config: CONFIG });

test("charts move, for every limit and for RATELIMIT", async ({ server, visit }) => {
  await using _login = steadily(server, "SLUICE.CONSUME", "login", "ip", "192.0.2.1", "user", "ada");
  await using _rate = steadily(server, "RATELIMIT", "k", "1000000000", "5000000000");
  const { page } = visit;
  await visit.sees(page.locator("#connection-words"), "Live");
  expect(await page.locator(".card-name").allTextContents()).toEqual([
    "login",
    "trial",
    "quiet",
    "RATELIMIT",
  ]);
  for (const canvas of ["#detail-rates canvas", "#detail-latencies canvas", ".card:nth-child(4) canvas"]) {
    await page.locator(canvas).waitFor();
    const before = await visit.drawing(canvas);
    await expect.poll(() => visit.drawing(canvas), { timeout: 10_000 }).not.toBe(before);
  }
  await visit.sees(page.locator(".card:nth-child(4) dd").nth(1), /^[1-9].*\/s$/);
  const { x, y, width, height } = (await page.locator("#detail-rates canvas").boundingBox())!;
  await page.mouse.move(x + width - 22, y + height / 2);
  await visit.sees(page.locator("#detail-point"), /^\d\d:\d\d:\d\d \d+ admitted, [1-9]\d* refused, p50 /);
});

test("numbers agree with /metrics", async ({ server, visit }) => {
  const { page } = visit;
  await visit.go("#live?limit=login");
  await consume(server, 7, "SLUICE.CONSUME", "login", "ip", "192.0.2.7", "user", "bob");
  await consume(server, 5, "SLUICE.CONSUME", "trial", "user", "cyd");
  const counted = (limit: string, outcome: string) =>
    metric(server, "sluice_decisions_total", `limit="${limit}"`, `outcome="${outcome}"`);
  const [allowed, refused] = [await counted("login", "allowed"), await counted("login", "refused")];
  const share = ((100 * refused) / (allowed + refused)).toFixed(1);
  const sums = page.locator("#detail-sums");
  await visit.sees(sums, `${allowed} admitted, ${refused} refused (${share} %); decided by the store.`);
  expect(await page.locator(".card", { hasText: "login" }).locator("dd").nth(2).textContent()).toBe(
    `${share} %`,
  );

  await page.getByRole("link", { name: "trial" }).click();
  await visit.sees(sums, "5 admitted, 0 refused (0.0 %), and 3 (60.0 %) would have been refused");
  expect(await counted("trial", "shadow_refused")).toBe(3);
  await page.locator("#detail-shadow").waitFor();

  await page.getByRole("link", { name: "RATELIMIT" }).click();
  await visit.sees(page.locator("#detail-name"), "RATELIMIT");
  const asked = await metric(server, "sluice_ratelimit_decisions_total");
  await expect.poll(async () => decisionsIn(await sums.textContent())).toBe(asked);
  await expect
    .poll(
      async () =>
        Number(await page.locator("#store-keys").textContent()) - (await metric(server, "sluice_keys")),
    )
    .toBe(0);
});

/** `…: 1,200 admitted, 34 refused …` are 1,234. */
function decisionsIn(sums: string | null): number {
  const [, ...parts] = /: ([\d,]+) admitted, ([\d,]+) refused/.exec(sums ?? "") ?? [];
  return parts.reduce((sum, part) => sum + Number(part.replaceAll(",", "")), 0);
}

test("a link names the limit, and the table says what the chart shows", async ({ server, visit }) => {
  await visit.go("#live?limit=trial");
  const { page } = visit;
  await visit.sees(page.locator("#detail-name"), "trial");
  await page.getByText("The last 30 seconds as a table").click();
  await consume(server, 3, "SLUICE.CONSUME", "trial", "user", "dan");
  const row = page.locator("#last-values-rows tr", {
    has: page.getByRole("cell", { name: "3", exact: true }),
  });
  await visit.sees(row, /^\d\d:\d\d:\d\d301/);
});

test("says how the store stands, and who decides while it is away", async ({ browser }) => {
  const redis = await startServer();
  try {
    const config = `{ store: { url: "${redis.url}", deadlineMs: 200 }, limits: { login: "user:5/h" } }`;
    await using other = await startSluice({ config });
    await using seen = await Visit.at(other.httpPort, browser);
    await using _ = steadily(other, "SLUICE.CONSUME", "login", "user", "ada");
    const { page } = seen;
    await seen.sees(page.locator("#store-breaker"), "closed: it is asked");
    await seen.sees(page.locator("#detail-sums"), /decided by .*the store\.$/);
    redis.pause();
    await seen.sees(page.locator("#store-breaker"), /^(open|probing): /);
    await seen.sees(page.locator("#store-failures"), /^[1-9]/);
    await seen.sees(page.locator(".card dd").nth(5), /^fallback [\d.]+ %$/);
    expect(await page.locator("#store").getAttribute("data-health")).toBe("failing");
  } finally {
    redis.resume();
    await redis.stop();
  }
});

test("a page out of sight draws nothing, leaves after a minute, and is back when it is seen", async ({
  server,
  visit,
}) => {
  await using _ = steadily(server, "SLUICE.CONSUME", "quiet");
  const { page } = visit;
  await page.clock.install();
  await page.goto(`http://127.0.0.1:${server.httpPort}/?again#live?limit=quiet`);
  await visit.sees(page.locator("#detail-sums"), /[1-9]\d* admitted/);
  const seen = (isSeen: boolean) =>
    page.evaluate(`
      Object.defineProperty(document, "hidden", { value: ${!isSeen}, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    `);
  await seen(false);
  const before = await page.locator("#detail-sums").textContent();
  await page.waitForTimeout(1_500);
  expect(await page.locator("#detail-sums").textContent()).toBe(before);
  await page.clock.fastForward(61_000);
  await visit.sees(page.locator("#connection-words"), "Paused while out of sight");
  await seen(true);
  await visit.sees(page.locator("#connection-words"), /^Live$/);
  await expect.poll(() => page.locator("#detail-sums").textContent()).not.toBe(before);
});
