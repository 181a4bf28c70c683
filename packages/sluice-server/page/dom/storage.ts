/** What the browser keeps for this page; where it keeps nothing, it lasts as long as the page is open. */

export interface KeptText {
  get(): string | undefined;
  set(text: string | undefined): void;
}

/** `where` is asked for each time, since a browser that keeps nothing throws already at its name. */
export function keptText(key: string, where: () => Storage): KeptText {
  let own: string | undefined;
  return {
    get() {
      try {
        return where().getItem(key) ?? own;
      } catch {
        return own;
      }
    },
    set(text) {
      own = text;
      try {
        if (text === undefined) where().removeItem(key);
        else where().setItem(key, text);
      } catch {
        // It is kept in `own` only.
      }
    },
  };
}
