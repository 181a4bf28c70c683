/** The Chromium that the tests drive: the system's own, installed where it is missing. */
import { type Browser, chromium } from "playwright-core";
import { ensureProgram, type SystemProgram } from "../../../sluice/test/system-package.js";

const CHROMIUM: SystemProgram = {
  programs: [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "Google Chrome",
    "Chromium",
  ],
  variable: "CHROMIUM",
  folders: ["/Applications/Google Chrome.app/Contents/MacOS", "/Applications/Chromium.app/Contents/MacOS"],
  packages: {
    "apt-get": ["chromium", "chromium-browser"],
    brew: ["chromium"],
    dnf: ["chromium"],
    yum: ["chromium"],
    apk: ["chromium"],
    pacman: ["chromium"],
  },
};

export function launchChromium(...args: readonly string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: ensureProgram(CHROMIUM),
    // Its sandbox does not work for root, and the pages are our own.
    args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), ...args],
  });
}
