/** What the address says after its #: which view, and what it shows. Anything else is the live view. */

export const VIEWS = ["live", "playground"] as const;
export type View = (typeof VIEWS)[number];

export interface Route {
  readonly view: View;
  readonly query: URLSearchParams;
}

/** `#playground?rule=10%2Fs` */
export function parseFragment(fragment: string): Route {
  const [, name = "", query = ""] = /^#?([^?]*)\??(.*)$/s.exec(fragment) ?? [];
  return { view: VIEWS.find((view) => view === name) ?? "live", query: new URLSearchParams(query) };
}

export function fragmentOf(view: View, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const text = new URLSearchParams(given).toString();
  return text === "" ? `#${view}` : `#${view}?${text}`;
}
