/** Sessions in a terminal, as the docs show them: commands behind a `$`, each with what it prints. */
import type { Block } from "../../../sluice/test/docs/markdown.js";

export interface Step {
  readonly command: string;
  /** `…` stands for anything. */
  readonly expected: string;
}

export function stepsOf({ text }: Block): readonly Step[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command = "", ...lines] = step.split("\n");
      return { command, expected: lines.join("\n").trim() };
    });
}

export function matches(printed: string, expected: string): boolean {
  const literal = expected
    .split("…")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("[\\s\\S]*?");
  return new RegExp(`^${literal}$`).test(plain(printed));
}

/** As a reader sees it: no carriage returns, no blanks at the ends of lines. */
export function plain(printed: string): string {
  return printed.replace(/[ \t\r]+$/gm, "").trim();
}
