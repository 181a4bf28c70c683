/** The page on a phone, in the dark, by keyboard, and as a screen reader meets it. */
import { expect } from "vitest";
import { pageTest } from "./page-test.js";
import { consume } from "./traffic.js";
import { Visit } from "./visit.js";

const test = pageTest({}, (server) =>
  consume(server, 8, "SLUICE.CONSUME", "login", "ip", "192.0.2.7", "user", "x".repeat(200)),
);

test("fits 320 pixels without scrolling sideways", async ({ browser, server }) => {
  await using visit = await Visit.at(server.httpPort, browser, { viewport: { width: 320, height: 640 } });
  const { page } = visit;
  await page.locator("#busiest-rows .identity").click();
  await page.locator("#standing-rows tr").first().waitFor();
  await page.getByText("The last 30 seconds as a table").click();
  expect(await visit.overflow()).toBe(0);
  await page.getByRole("button", { name: "Reset…" }).click();
  expect(await visit.overflow()).toBe(0);
  await page.keyboard.press("Escape");

  await page.getByRole("link", { name: "Playground", exact: true }).click();
  await page.locator("#runs canvas").first().waitFor();
  await page.getByText("How exact it is").click();
  expect(await visit.overflow()).toBe(0);
  await page.getByLabel("Rule").fill(`${"user:10/s or ".repeat(12)}ip:1/sec`);
  await page.locator("#rule-excerpt").waitFor();
  expect(await visit.overflow()).toBe(0);
});

test("light, dark and as the system says, charts too; and nothing moves for who asked for that", async ({
  browser,
  server,
}) => {
  const options = { colorScheme: "dark", reducedMotion: "reduce" } as const;
  await using visit = await Visit.at(server.httpPort, browser, options);
  const { page } = visit;
  const ground = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
  await page.locator("#detail-rates canvas").waitFor();
  const dark = await ground();
  const button = page.getByRole("button", { name: /^Colours/ });
  await visit.sees(button, "system");
  const before = await visit.drawing("#detail-latencies canvas");
  await button.click();
  await visit.sees(button, "light");
  expect(await ground()).not.toBe(dark);
  await expect.poll(() => visit.drawing("#detail-latencies canvas")).not.toBe(before);
  await page.reload();
  await visit.sees(button, "light");
  await button.click();
  await visit.sees(button, "dark");
  expect(await ground()).toBe(dark);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await ground()).toBe(dark);
  await button.click();
  await visit.sees(button, "system");
  expect(await ground()).not.toBe(dark);

  const moving = `[...document.querySelectorAll("*")].filter((one) => {
    const { transitionDuration, animationName } = getComputedStyle(one);
    return transitionDuration !== "0s" || animationName !== "none";
  }).length`;
  expect(await page.evaluate(moving)).toBe(0);
});

/** What has the focus, and whether that is seen. */
const FOCUS = `(() => {
  const one = document.activeElement;
  const { outlineStyle } = getComputedStyle(one.closest(".card, .segments label") ?? one);
  return [one.id || one.textContent.slice(0, 20) || one.value, outlineStyle];
})()`;

test("the live view by keyboard and by ear", async ({ browser, server }) => {
  await using visit = await Visit.at(server.httpPort, browser);
  const { page } = visit;
  await page.locator("#busiest-rows .identity").waitFor();
  const stops: unknown[] = [];
  for (let stop = 0; stop < 13; stop += 1) {
    await page.keyboard.press("Tab");
    stops.push(await page.evaluate(FOCUS));
  }
  expect(stops).toEqual(
    [
      ...["skip", "to-live", "to-playground", "theme", "300", "login", "api", "search", "RATELIMIT"],
      ...["detail-try", "The last 30 seconds ", "ip 192.0.2.7 user xx", "ip 192.0.2.7 user xx"],
    ].map((name) => [name, "solid"]),
  );
  await page.locator("#skip").press("Enter");
  expect(await page.evaluate("document.activeElement.id")).toBe("main");

  await heard(visit, [
    "banner:",
    'heading "Sluice" [level=1]',
    'navigation "Views":',
    "main:",
    'region "Live":',
    'group "Shown":',
    'radio "5 min" [checked]',
    'list "Limits":',
    'heading "login" [level=3]:',
    'region "login":',
    'img "login In the last 5 minutes: 5 admitted, 3 refused (37.5 %); decided by the store."',
    'region "Who is being limited":',
    'table "Busiest":',
    'rowheader "ip 192.0.2.7 user',
    "status: Live.",
  ]);
});

test("the playground by ear", async ({ browser, server }) => {
  await using visit = await Visit.at(server.httpPort, browser, { fragment: "#playground" });
  const { page } = visit;
  await visit.sees(page.locator("#announcement"), "100/m under burst:80/45s for 5 minutes");
  await heard(visit, [
    'textbox "Rule": 100/m',
    'list "Examples":',
    'group "Traffic":',
    'radio "bursts" [checked]',
    'slider "burst"',
    'group "Beside it, the same quota under":',
    'checkbox "fixed-window" [checked]',
    'region "Offered and admitted":',
    'img "100/m under burst:80/45s for 5 minutes: 380 of 560 admitted, at most 100 in any minute (limit 100)."',
    'table "All numbers":',
    'columnheader "most in any window"',
  ]);
});

const NAMED = "button|link|textbox|slider|checkbox|radio|spinbutton|img|table|region|dialog";

/** All of this is in the tree that a screen reader gets, and nothing that needs a name has none. */
async function heard({ page }: Visit, lines: readonly string[]): Promise<void> {
  const tree = await page.locator("body").ariaSnapshot();
  for (const line of lines) expect(tree).toContain(line);
  expect(tree.match(new RegExp(`^ *- (${NAMED})(:| \\[|$).*`, "gm"))).toBeNull();
}
