/** Whatever is wrong with a configuration, nothing that may be a secret is shown: not in a message, not in an excerpt. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { isMistaken, mistakesText } from "../../src/config/mistake.js";
import { readConfig } from "../../src/config/read-config.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const chars = (all: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...all), minLength, maxLength });

/** Random keys, hex, digits, UUIDs, and what password managers make. */
const secret = fc.oneof(
  chars(`${LETTERS}+/=`, 12, 40),
  chars("0123456789abcdef", 16, 40),
  chars("0123456789", 8, 20),
  fc.uuid(),
  chars(`${LETTERS}!#$%&()*+,-./:;<=>?@[]^_{|}~'"\\\``, 12, 30),
);

/** Where a secret may have come to stand: meant for there, or by some mistake. */
const PLACES: readonly ((secret: string) => string)[] = [
  (secret) => `tokens: [${secret}]`,
  (secret) => `tokens: ["${secret}", short]`,
  (secret) => `tokens:\n  - ${secret}\n  - '${secret}'`,
  (secret) => `tokens:\n- ${secret}`,
  (secret) => `tokens: ${secret}`,
  (secret) => `tokens:\n  ${secret}: 1`,
  (secret) => `tokens: { first: "${secret}" }`,
  (secret) => `tokens: |\n  ${secret}`,
  (secret) => `tokens: [*${secret}]`,
  (secret) => `tokens: [&${secret} x]`,
  (secret) => `tokens: !${secret} x`,
  (secret) => `tokens: "\\u${secret}"`,
  (secret) => `tokens = ${secret}`,
  (secret) => `tokens ${secret}`,
  (secret) => `toekns: [${secret}]`,
  (secret) => `api_keys:\n  - ${secret}`,
  (secret) => `password: ${secret}`,
  (secret) => `${secret}: x`,
  (secret) => `${secret}`,
  (secret) => `# ${secret}`,
  (secret) => `store: redis://me:${secret}@127.0.0.1:6379`,
  (secret) => `store: redis://:${secret}@127.0.0.1:port`,
  (secret) => `store: me:${secret}@127.0.0.1`,
  (secret) => `store: ${secret}@127.0.0.1`,
  (secret) => `store: mysql://me:${secret}@127.0.0.1`,
  (secret) => `store: "redis://${secret}"`,
  (secret) => `store = redis://me:${secret}@127.0.0.1`,
  (secret) => `store: { url: "redis://me:${secret}@host", maxKeys: 5 }`,
  (secret) => `store:\n  url: redis://host:1\n  password: ${secret}`,
  (secret) => `store: [redis://${secret}@host]`,
  (secret) => `store: { url: memory, maxKeys: ${secret} }`,
  (secret) => `store: { url: "redis://h", deadlineMs: ${secret}, onFailure: ${secret} }`,
  (secret) => `namespace: [${secret}]`,
  (secret) => `namespace: { ${secret}: ${secret} }`,
  (secret) => `page: ${secret}`,
  (secret) => `page: { identities: ${secret} }`,
  (secret) => `http: { hosts: ["http://me:${secret}@host"] }`,
  (secret) => `http: { hosts: "${secret}", gateBehindProxy: ${secret} }`,
  (secret) => `limits: ${secret}`,
  (secret) => `limits: [${secret}]`,
  (secret) => `limits: { ${secret} }`,
  (secret) => `limits:\n  login: ${secret}`,
  (secret) => `limits:\n  login: user:5/m or ${secret}`,
  (secret) => `limits:\n  login: user:5/m\n    store redis://me:${secret}@host`,
  (secret) => `limits:\n  tokens: [${secret}]`,
  (secret) => `limits:\n  login: { rule: 5/m, cost: "${secret}", shadow: ${secret} }`,
  (secret) => `limits:\n  login: { rule: 5/m, onFailure: ${secret}, ${secret} }`,
  (secret) => `limits:\n  redis://me:${secret}@host: 5/m`,
];

/** What goes wrong with a line while somebody writes it. */
const SLIPS: readonly ((text: string) => string)[] = [
  (text) => text.replace(": ", ":"),
  (text) => text.replace(":", ""),
  (text) => text.replace(": ", " = "),
  (text) => text.replaceAll("  ", "\t"),
  (text) => text.replace(/["'\]}]/, ""),
  (text) => text.replace(/[[{]/, ""),
  (text) => text.replace("\n", " "),
  (text) => text.replace(/^/, "  "),
  (text) => text.replace(/^/, "- "),
  (text) => text.replace(/$/, ": x: y"),
  (text) => `${text}\n${text}`,
  (text) => `---\n${text}`,
  (text) => `{ ${text}`,
  (text) => text.replace("tokens", "token"),
  (text) => text.replace("store", "Store"),
  (text) => text.replaceAll("\n", "\r\n"),
];

const OTHERS = ["limits:\n  api: user:10/s burst 20", "namespace: shop", "limits:\n  a: 5/q", "cost: 5", ""];
/** Those that messages of ours have. */
const OWN_NUMBERS = /9007199254740991|16000000/g;
/** As much of a secret as helps whoever finds it. */
const TELLING = 6;

test("a random secret in a random place, with random slips around it", () => {
  const file = fc.record({
    secret,
    place: fc.constantFrom(...PLACES),
    slips: fc.array(fc.constantFrom(...SLIPS), { maxLength: 2 }),
    before: fc.constantFrom(...OTHERS),
    after: fc.constantFrom(...OTHERS),
  });
  fc.assert(
    fc.property(file, ({ secret, place, slips, before, after }) => {
      const line = slips.reduce((text, slip) => slip(text), place(secret));
      const result = readConfig(`${before}\n${line}\n${after}\n`, "sluice.yaml");
      if (!isMistaken(result)) return;
      const shown = (mistakesText(result) + JSON.stringify(result)).replaceAll(OWN_NUMBERS, "");
      for (let at = 0; at + TELLING <= secret.length; at += 1) {
        const part = secret.slice(at, at + TELLING);
        // Stars and carets are ours, too.
        if (new Set(part).size > 1) expect(shown).not.toContain(part);
      }
    }),
    { numRuns: 5_000 },
  );
});
