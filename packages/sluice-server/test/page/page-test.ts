/** Tests of the page: a real browser and a real server for all of a file, opened for the first test that asks. */
import type { Browser } from "playwright-core";
import { test } from "vitest";
import { type Sluice, type StartOptions, startSluice } from "../serve/sluice-process.js";
import { launchChromium } from "./chromium.js";
import { Visit } from "./visit.js";

interface Opened {
  readonly browser: Browser;
  readonly server: Sluice;
  /** Somebody who stays from test to test; what the browser complained of fails the file. */
  readonly visit: Visit;
}

/** `before` is what the server has seen before anybody looks. */
export function pageTest(options?: StartOptions, before?: (server: Sluice) => Promise<unknown>) {
  return test.extend<{ $file: Opened }>({
    browser: [
      // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures are asked for
      async ({}, use) => {
        const browser = await launchChromium();
        await use(browser);
        await browser.close();
      },
      { scope: "file" },
    ],
    server: [
      // biome-ignore lint/correctness/noEmptyPattern: as above
      async ({}, use) => {
        await using server = await startSluice(options);
        await before?.(server);
        await use(server);
      },
      { scope: "file" },
    ],
    visit: [
      async ({ browser, server }, use) => {
        await using visit = await Visit.at(server.httpPort, browser);
        await use(visit);
      },
      { scope: "file" },
    ],
  });
}
