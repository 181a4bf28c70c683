/** A page that loses its server and finds it again. */
import { expect } from "vitest";
import { startSluice } from "../serve/sluice-process.js";
import { BreakableLine } from "./breakable-line.js";
import { pageTest } from "./page-test.js";
import { consume } from "./traffic.js";
import { Visit } from "./visit.js";

const CONFIG = 'limits: { quiet: "1000/s" }';
const DAY_SECONDS = 86_400;

/** What the browser itself says of a server that is gone. */
const GONE = /^Failed to load resource: net::ERR_/;

const test = pageTest({ config: CONFIG });

test("after a broken line, what was missed is there: no gap at all", async ({ browser, server }) => {
  await using line = new BreakableLine(server.httpPort);
  await using visit = await Visit.at(await line.listen(), browser, { expected: GONE });
  const { page } = visit;
  const words = page.locator("#connection-words");
  await visit.sees(words, "Live");
  await page.getByText("The last 30 seconds as a table").click();
  await page.locator("#last-values-rows tr:nth-child(3)").waitFor();
  line.cut();
  await visit.sees(words, /^Disconnected, next try in \d+ seconds?$/);
  await consume(server, 4, "SLUICE.CONSUME", "quiet");
  await page.waitForTimeout(2_500);
  line.mend();
  await visit.sees(words, /^Live$/);
  await visit.sees(page.locator("#detail-sums"), "4 admitted");
  expect(await gaps(visit)).toEqual([]);
});

test("a server that was started anew goes on where the old one ended", async ({ browser }) => {
  await using line = new BreakableLine(0);
  const port = await line.listen();
  const visit = await (async () => {
    await using first = await startSluice({ config: CONFIG });
    line.target = first.httpPort;
    const seen = await Visit.at(port, browser, { fragment: "#live?limit=quiet", expected: GONE });
    await consume(first, 6, "SLUICE.CONSUME", "quiet");
    await seen.sees(seen.page.locator("#detail-sums"), "6 admitted");
    return seen;
  })();
  await using _ = visit;
  const began = Date.now();
  await using second = await startSluice({ config: CONFIG });
  line.target = second.httpPort;
  await visit.sees(visit.page.locator("#connection-words"), /^Live$/);
  await consume(second, 3, "SLUICE.CONSUME", "quiet");
  await visit.sees(visit.page.locator("#detail-sums"), "9 admitted");
  const away = Math.ceil((Date.now() - began) / 1000);
  await visit.page.getByText("The last 30 seconds as a table").click();
  await visit.page.locator("#last-values-rows tr").first().waitFor();
  for (const gap of await gaps(visit)) expect(gap).toBeLessThanOrEqual(away + 1);
});

/** Of the seconds in the table, how long each stretch is that is missing. */
async function gaps({ page }: Visit): Promise<readonly number[]> {
  const times = await page.locator("#last-values-rows th").allTextContents();
  expect(times.length).toBeGreaterThan(1);
  const instants = times.map((time) => Date.parse(`2000-01-01T${time}Z`) / 1000).reverse();
  const steps = instants.slice(1).map((at, index) => (at - instants[index]! + DAY_SECONDS) % DAY_SECONDS);
  return steps.filter((step) => step > 1).map((step) => step - 1);
}
