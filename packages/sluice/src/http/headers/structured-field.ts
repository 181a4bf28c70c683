/** The few structured fields (RFC 9651) that the headers need: strings, integers, and lists to be merged. */

const LARGEST_INTEGER = 999_999_999_999_999;

/** A whole number that a field can hold. */
export function fieldInteger(value: number): number {
  if (value >= LARGEST_INTEGER) return LARGEST_INTEGER;
  return value > 0 ? Math.floor(value) : 0;
}

/** Rounded up, so that nobody comes back too early. */
export function fieldSeconds(milliseconds: number): number {
  return fieldInteger(Math.ceil(milliseconds / 1000));
}

/** What a refused request has to wait: at least a second, because at once was refused. */
export function waitSeconds(retryAfterMs: number): number {
  return Math.max(1, fieldSeconds(retryAfterMs));
}

/** Printable ASCII, and nothing else; what is not is written as a percent-encoded URL writes it. */
export function printable(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  return [...text].map((character) => (/[ -~]/.test(character) ? character : encoded(character))).join("");
}

function encoded(character: string): string {
  const code = character.codePointAt(0)!;
  return encodeURIComponent(code >= 0xd800 && code <= 0xdfff ? "\ufffd" : character);
}

/** Of printable text. */
export function fieldString(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** The members of a list; a comma in a string does not part them. */
export function listMembers(list: string): readonly string[] {
  const members = list.match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? [];
  return members.map((member) => member.trim()).filter((member) => member !== "");
}

export interface NamedMember {
  /** Without its quotes, and with its escapes. */
  readonly name: string;
  /** Begins with a semicolon, or is empty. */
  readonly parameters: string;
}

/** A string with parameters, or undefined where the member is something else. */
export function namedMember(member: string): NamedMember | undefined {
  const found = /^"((?:[^"\\]|\\.)*)"(.*)$/.exec(member);
  return found === null ? undefined : { name: found[1]!, parameters: found[2]! };
}

/** A parameter that is an integer, or undefined where there is none of that name. */
export function integerParameter(parameters: string, name: string): number | undefined {
  const found = new RegExp(`(?:^|[;,\\s])${name}=(\\d{1,15})(?![\\d.])`).exec(parameters);
  return found === null ? undefined : Number(found[1]);
}
