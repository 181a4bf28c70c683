/** The colours of the style sheet, for canvases, which know nothing of it. */

const NAMES = ["ink", "soft", "grid", "admitted", "refused", "mark"] as const;
export type ColourName = (typeof NAMES)[number];

let known: Readonly<Record<ColourName, string>> | undefined;

export function colour(name: ColourName): string {
  known ??= read();
  return known[name];
}

/** To be called when the theme has changed. */
export function forgetColours(): void {
  known = undefined;
}

/** A browser resolves a variable where it is used as a colour, and nowhere else. */
function read(): Readonly<Record<ColourName, string>> {
  const probe = document.createElement("span");
  document.body.append(probe);
  const entries = NAMES.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(entries) as Record<ColourName, string>;
}

/** The same colour, let through so much. */
export function faded(name: ColourName, opacity: number): string {
  return colour(name).replace(/^rgb\((.*)\)$/, `rgba($1, ${opacity})`);
}
