/** Puts stars in the place of what must not be shown: tokens, and logins in URLs. Every other character stays. */

/** From `://` to the last @ of a word. */
const LOGIN = /(?<=:\/\/)[^\s"']*(?=@)/g;
const SECRET_NAME = /^["']?[\w-]*(tok|secret|passw|auth)[\w-]*["']?\s*:/i;
const LIMITS_NAME = /^["']?limits?["']?\s*:/i;
/** A list on one line behind such a name, as in JSON without line breaks; no rule is a list. */
const SECRET_LIST = /(?<=(?:tok|secret|passw|auth)[\w-]*["']?\s*:\s*\[)[^\]]*/gi;

/** By lines, since a file that is no YAML has to be shown too. Names of limits may sound like secrets, and are none. */
export function withoutSecrets(text: string): string {
  let hidden: number | undefined;
  let limits: number | undefined;
  return text
    .split(/(?<=\n)/)
    .map((line) => {
      const words = line.trimStart();
      const indent = line.length - words.length;
      if (words.trim() === "" || words.startsWith("#")) return line.replace(LOGIN, stars);
      const ends = (block: number | undefined) =>
        block !== undefined && (indent < block || (indent === block && !/^[-\]}]/.test(words)));
      if (ends(hidden)) hidden = undefined;
      if (ends(limits)) limits = undefined;
      if (hidden !== undefined) return stars(line);
      if (limits === undefined && LIMITS_NAME.test(words)) limits = indent;
      const name = limits === undefined ? SECRET_NAME.exec(words)?.[0] : undefined;
      if (name === undefined) return line.replace(SECRET_LIST, stars).replace(LOGIN, stars);
      hidden = indent;
      return line.slice(0, indent + name.length) + stars(line.slice(indent + name.length));
    })
    .join("");
}

/** The signs of a list stay, so that one still sees what is where. */
function stars(text: string): string {
  const [, dash = "", rest = ""] = /^(\s*-(?=\s))?(.*)$/s.exec(text) ?? [];
  return dash + rest.replace(/[^\s[\],]/g, "*");
}
