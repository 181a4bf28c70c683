/** Makes the pictures of the README, which takes a minute, and only where SLUICE_SCREENSHOTS says so. */
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { RawClient } from "../resp/raw-client.js";
import { type Sluice, startSluice } from "../serve/sluice-process.js";
import { launchChromium } from "./chromium.js";
import { Visit } from "./visit.js";

const picture = (name: string) =>
  fileURLToPath(new URL(`../../../../docs/images/${name}.png`, import.meta.url));

const USERS = ["ada", "bob", "cyd", "dan", "eve", "fay", "gus", "hal"];
const SECONDS = 72;

/** Callers who come in waves, some more than others. */
async function busyMinute({ respPort }: Sluice): Promise<void> {
  using client = new RawClient(respPort);
  const began = Date.now();
  for (let turn = 0; Date.now() < began + SECONDS * 1000; turn += 1) {
    const wave = 1 + Math.sin((Date.now() - began) / 9_000);
    const user = USERS[Math.floor(USERS.length * Math.random() ** 2)]!;
    const ip = `192.0.2.${7 + 13 * USERS.indexOf(user)}`;
    for (let time = 0; time < 1 + 2 * wave; time += 1)
      await client.ask("SLUICE.CONSUME", "api", "user", user);
    for (let time = 0; time < 3 * wave; time += 1) {
      await client.ask("RATELIMIT", `k${turn % 9}`, "50000000", "500000000");
    }
    if (turn % 7 === 0) await client.ask("SLUICE.CONSUME", "login", "ip", ip, "user", user);
    if (turn % 3 === 0) await client.ask("SLUICE.CONSUME", "search", "user", user);
    await setTimeout(30);
  }
}

test.runIf(process.env["SLUICE_SCREENSHOTS"])(
  "pictures",
  async () => {
    await using server = await startSluice();
    const browser = await launchChromium();
    try {
      const look = {
        viewport: { width: 1180, height: 1000 },
        colorScheme: "light",
      } as const;
      const traffic = busyMinute(server);
      await setTimeout(60_000);
      await using live = await Visit.at(server.httpPort, browser, { fragment: "#live?limit=api", ...look });
      await live.page.getByText("1 min", { exact: true }).click();
      await live.page.locator("#busiest-rows .identity").first().click();
      await live.page.locator("#standing-rows tr").waitFor();
      await live.page.setViewportSize({ width: 1180, height: 1400 });
      await live.page.mouse.move(0, 0);
      await live.page.waitForTimeout(1_500);
      await live.page.screenshot({ path: picture("page-live"), fullPage: true });
      await traffic;

      const link =
        "#playground?rule=100%2Fm&traffic=poisson%3A3%2Fs&for=5m&compare=fixed-window,sliding-counter,gcra";
      await using playground = await Visit.at(server.httpPort, browser, { fragment: link, ...look });
      await playground.page.locator("#runs figure").nth(3).waitFor();
      await playground.page.setViewportSize({ width: 1180, height: 600 });
      await playground.page.waitForTimeout(500);
      await playground.page.screenshot({ path: picture("page-playground"), fullPage: true });
      expect([...live.complaints, ...playground.complaints]).toEqual([]);
    } finally {
      await browser.close();
    }
  },
  180_000,
);
