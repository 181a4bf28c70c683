/** Somebody who looks at the page: a fresh browser context, and everything the browser complained about. */
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect } from "vitest";

export interface VisitOptions extends BrowserContextOptions {
  /** What stands behind the port: `#playground`. */
  readonly fragment?: string;
  /** The network's complaints that belong to the test: a server that is gone, a token that is wrong. */
  readonly expected?: RegExp;
}

const PATIENCE_MS = 15_000;

export class Visit implements AsyncDisposable {
  /** What was written to the console as an error or a warning, and what was thrown and not caught. */
  readonly complaints: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly expected: RegExp | undefined,
  ) {
    page.setDefaultTimeout(PATIENCE_MS);
    page.on("pageerror", (error) => this.complaints.push(`thrown: ${error.stack ?? error.message}`));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) this.complaints.push(message.text());
    });
    page.on("dialog", (dialog) => {
      this.complaints.push(`a dialog of the browser: ${dialog.message()}`);
      void dialog.dismiss();
    });
  }

  static async at(port: number, browser: Browser, options: VisitOptions = {}): Promise<Visit> {
    const { fragment = "", expected, ...context } = options;
    const page = await (await browser.newContext({ timezoneId: "UTC", ...context })).newPage();
    const visit = new Visit(page, expected);
    await page.goto(`http://127.0.0.1:${port}/${fragment}`);
    return visit;
  }

  /** Another view, in the page as it is. */
  async go(fragment: string): Promise<void> {
    await this.page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
  }

  /** What a locator shows, once it shows this. */
  async sees(locator: Locator, text: string | RegExp): Promise<string> {
    await expect
      .poll(() => locator.first().textContent(), { timeout: PATIENCE_MS })
      .toEqual(typeof text === "string" ? expect.stringContaining(text) : expect.stringMatching(text));
    return (await locator.first().textContent()) ?? "";
  }

  /** A picture of a chart as text, to see whether it changes. */
  drawing(selector: string): Promise<string> {
    return this.page.evaluate(`document.querySelector(${JSON.stringify(selector)}).toDataURL()`);
  }

  /** How many pixels there are to the right of what is seen. */
  overflow(): Promise<number> {
    return this.page.evaluate("document.documentElement.scrollWidth - innerWidth");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.context().close();
    expect(this.complaints.filter((complaint) => !this.expected?.test(complaint))).toEqual([]);
  }
}
