/** Light, dark, or as the system says; remembered on this machine. */
import { byId, setText } from "./dom/element.js";
import { keptText } from "./dom/storage.js";

const THEMES = ["system", "light", "dark"] as const;

const kept = keptText("sluice.theme", () => localStorage);

/** `onChange` is told whenever colours are different from before. */
export function startTheme(onChange: () => void): void {
  let theme = THEMES.find((name) => name === kept.get()) ?? "system";
  const show = () => {
    document.documentElement.dataset["theme"] = theme;
    setText(byId("theme-name", HTMLSpanElement), theme);
  };
  byId("theme", HTMLButtonElement).addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
    kept.set(theme);
    show();
    onChange();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", onChange);
  show();
}
