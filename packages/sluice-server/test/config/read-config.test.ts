/** What a configuration says, and how its mistakes are shown. */
import { describe, expect, test } from "vitest";
import type { Config } from "../../src/config/config.js";
import { isMistaken, mistakesText } from "../../src/config/mistake.js";
import { readConfig } from "../../src/config/read-config.js";

function config(text: string): Config {
  const result = readConfig(text, "sluice.yaml");
  if (isMistaken(result)) throw new Error(mistakesText(result));
  return result;
}

function shown(text: string): string {
  const result = readConfig(text, "sluice.yaml");
  return isMistaken(result) ? mistakesText(result) : "no mistake";
}

/** Where the mistakes are: `line:column` and how long. */
function placesOf(text: string): readonly string[] {
  const result = readConfig(text, "sluice.yaml");
  if (!isMistaken(result)) return [];
  return result.mistakes.map(({ place }) =>
    place ? `${place.line}:${place.column}+${place.length}` : "file",
  );
}

describe("a good configuration", () => {
  test("says everything that it may", () => {
    const { namespace, store, tokens, limits } = config(`
namespace: shop
store:
  url: redis://127.0.0.1:6379/2
  deadlineMs: 100
  onFailure: deny
tokens:
  - first-token
  - "12345678"
limits:
  login: "ip:5/m or user:20/h"
  api.v2_search-1:
    rule: user:10/5m
    cost: 3
    shadow: true
    countRefused: false
    onFailure: throw
    deadlineMs: 50
`);
    expect({ namespace, store, tokens }).toEqual({
      namespace: "shop",
      store: { url: "redis://127.0.0.1:6379/2", deadlineMs: 100, onFailure: "deny" },
      tokens: ["first-token", "12345678"],
    });
    expect([...limits]).toEqual([
      ["login", { rule: "ip:5/m or user:20/h" }],
      [
        "api.v2_search-1",
        {
          rule: "user:10/5m",
          cost: 3,
          shadow: true,
          countRefused: false,
          onFailure: "throw",
          deadlineMs: 50,
        },
      ],
    ]);
  });

  test("leaves out whatever it likes", () => {
    expect(config("limits: {}")).toEqual({
      namespace: "sluice",
      store: { url: "memory" },
      tokens: [],
      limits: new Map(),
    });
  });

  test.each([
    ["JSON", '{"limits": {"a": "10/s"}}'],
    ["a mark at its beginning", "\uFEFFlimits:\n  a: 10/s\n"],
    ["line ends of Windows", "limits:\r\n  a: 10/s\r\n"],
    ["an alias", "namespace: &x 10/s\nlimits:\n  a: *x\n"],
    ["a number for a name", "limits:\n  7: 10/s\n"],
    ["a name that every object has", "limits:\n  constructor: 10/s\n"],
    ["text over several lines", "limits:\n  a: >-\n    10/s\n    or user:5/m\n"],
  ])("may be written with %s", (_, text) => {
    expect(config(text).limits.size).toBe(1);
  });

  test("may have a store as text, and a bound for memory", () => {
    expect(config("store: rediss://h").store).toEqual({ url: "rediss://h" });
    expect(config("store: { url: memory, maxKeys: 5 }").store).toEqual({ url: "memory", maxKeys: 5 });
  });

  test("may say by which names it is asked, and that a proxy asks the gate", () => {
    expect(config("limits: {}").http).toBeUndefined();
    expect(config("http: { hosts: [Sluice.internal, sluice] }").http).toEqual({
      hosts: ["Sluice.internal", "sluice"],
      gateBehindProxy: false,
    });
    expect(config("http: { gateBehindProxy: true }").http).toEqual({ hosts: [], gateBehindProxy: true });
  });

  test("may have ten thousand limits", () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `  limit-${index}: "ip:5/m or user:20/h"\n`);
    expect(config(`limits:\n${lines.join("")}`).limits.size).toBe(10_000);
  });
});

describe("mistakes", () => {
  test("are all told at once, in the order of the file", () => {
    expect(
      shown(`namespac: shop
store: { url: memory, maxKeys: many }
limits:
  login: "ip:5/m or user:20/hour"
  search:
    rule: user:5
    cost: 0
    shado: true
    onFailure: alow
  login: 10/s
  "": 1/s
`),
    ).toBe(`sluice.yaml:1:1: A configuration has namespace, store, tokens, http, page, limits, and "namespac" is none of them.

  1 | namespac: ****
    | ^^^^^^^^

  Did you mean "namespace"?

sluice.yaml:2:32: Expected a whole number from 1 to 16000000, and this is text of 4 characters.

  2 | store: { url: memory, maxKeys: **** }
    |                                ^^^^

sluice.yaml:4:29: Expected a unit of time (ms, s, m, h, d, w), and got "hour".

  4 |   login: "ip:5/m or user:20/hour"
    |                             ^^^^

  Did you mean "ip:5/m or user:20/h"?

sluice.yaml:6:17: Expected a "/" and a span after the count, as in 10/s, and got the end.

  6 |     rule: ******
    |                 ^

sluice.yaml:7:11: Expected a whole number of at least 1, and this is 0.

  7 |     cost: 0
    |           ^

sluice.yaml:8:5: A limit has rule, cost, shadow, countRefused, onFailure, deadlineMs, and "shado" is none of them.

  8 |     shado: true
    |     ^^^^^

  Did you mean "shadow"?

sluice.yaml:9:16: Expected one of local, allow, deny, throw, and this is "alow".

  9 |     onFailure: alow
    |                ^^^^

  Did you mean "allow"?

sluice.yaml:10:3: This name stands here a second time.

  10 |   login: 10/s
     |   ^^^^^

sluice.yaml:11:3: A limit's name is 1 to 64 letters, digits, "-", "_" and ".", and begins with a letter or a digit; this is empty.

  11 |   "": 1/s
     |   ^^`);
  });

  test.each([
    ["plain", "limits:\n  a: user:5/q\n", ["2:13+1"]],
    ["in single quotes", "limits:\n  a: 'user:5/q'\n", ["2:14+1"]],
    ["in double quotes", 'limits:\n  a: "user:5/q"\n', ["2:14+1"]],
    ["plain over two lines", "limits:\n  a: 10/s\n    or user:5/q\n", ["3:15+1"]],
    ["quoted over two lines", 'limits:\n  a: "10/s\n\n    or user:5/q"\n', ["4:15+1"]],
    ["folded", "limits:\n  a: >\n    10/s\n    or user:5/q\n", ["4:15+1"]],
    ["literal, with a comment", "limits:\n  a: |- # why\n    10/s\n    or user:5/q\n", ["4:15+1"]],
    ["at its end", "limits:\n  a: user\n", ["2:10+1"]],
    ["at the end of a folded one", "limits:\n  a: >\n    10/s or\n", ["3:12+1"]],
    ["empty", 'limits:\n  a: ""\n', ["2:6+1"]],
    ["with an escape, as a whole", 'limits:\n  a: "5\\x2Fq"\n', ["2:6+8"]],
    ["behind an alias, where it is written", "namespace: &r 5/q\nlimits: { a: *r, b: *r }\n", ["1:17+1"]],
    ["in a flow map", 'limits: {a: 5/s, b: "5/q"}\n', ["1:24+1"]],
  ])("of a rule %s are shown in the rule", (_, text, places) => {
    expect(placesOf(text)).toEqual(places);
  });

  test.each([
    ["an empty file", "", "The file is empty."],
    ["nothing but spaces", "  \n\n", "The file is empty."],
    ["nothing but a comment", "# later\n", "The file is empty."],
    [
      "plain text",
      "hello world",
      "Expected a configuration, with namespace, store, tokens, http, page, limits, and this is text of 11 characters.",
    ],
    ["a list", "- a\n", "and this is a list."],
    [
      "limits without any",
      "limits:\n",
      "Expected names of limits, each with its rule, and there is nothing.",
    ],
    [
      "limits as a list",
      "limits: [10/s]\n",
      "Expected names of limits, each with its rule, and this is a list.",
    ],
    [
      "a limit without a rule",
      "limits:\n  a: { cost: 2 }\n",
      "Expected a rule as text, such as user:10/5m, and there is nothing.",
    ],
    ["a rule that is a number", "limits:\n  a: 10\n", "and this is a number."],
    [
      "a word for a flag",
      "limits:\n  a: { rule: 1/s, shadow: yes }\n",
      'Expected true or false, and this is "yes".',
    ],
    [
      "a cost with a fraction",
      "limits:\n  a: { rule: 1/s, cost: 1.5 }\n",
      "Expected a whole number of at least 1, and this is 1.5.",
    ],
    ["a namespace that is empty", 'namespace: ""\n', "Expected a namespace as text"],
    ["a name that is too long", `limits:\n  ${"n".repeat(65)}: 1/s\n`, "1 to 64 letters"],
    ["a name that is a path", "limits:\n  ..: 1/s\n", "begins with a letter or a digit"],
    ["a name for everything", "limits:\n  __proto__: 1/s\n", "begins with a letter or a digit"],
    ["a map for a name", "? {a: b}\n: 1\n", "A name is a plain text."],
    ["a tab", "limits:\n\ta: 1/s\n", "A line is indented by spaces, and this is a tab."],
    ["a quote that never ends", 'limits:\n  a: "1/s\n', "This text begins with a quote and never ends."],
    ["two colons", "limits:\n  a: b: c\n", 'A second ": " in one line'],
    ["two documents", "limits: {}\n---\nlimits: {}\n", "there is a second one"],
    ["an unknown tag", "limits: !x {}\n", "A configuration has no tags."],
    ["an unknown alias", "limits: *x\n", "Nothing before this has the name behind the *."],
    ["an alias to itself", "limits: &x { a: *x }\n", "What this alias stands for contains itself."],
    ["another store", "store: mysql://host\n", "A store's URL begins with one of redis://"],
    ["a store nearly right", "store: memry\n", 'Did you mean "memory"?'],
    ["a bound for Redis", "store: { url: redis://h, maxKeys: 5 }\n", "maxKeys bounds the memory store"],
    ["a policy for memory", "store: { url: memory, onFailure: deny }\n", "memory never is"],
    [
      "a deadline out of range",
      "store: { url: redis://h, deadlineMs: 0 }\n",
      "from 1 to 60000, and this is 0",
    ],
    [
      "a host with a port",
      "http: { hosts: ['sluice:8080'] }\n",
      "a host name as text, such as sluice.internal",
    ],
    ["a host as a URL", "http: { hosts: ['http://sluice'] }\n", "without scheme and port"],
    ["hosts that are no list", "http: { hosts: sluice }\n", "Expected a list of host names"],
    ["another setting of HTTP", "http: { host: [a] }\n", 'Did you mean "hosts"?'],
    ["a token too short", "tokens: [short]\n", "a token as text, of 8 to 256 characters"],
    ["tokens that are no list", "tokens: abcdefgh\n", "Expected a list of tokens."],
  ])("%s", (_, text, words) => {
    expect(shown(text)).toContain(words);
  });

  test("of syntax come with those on the lines before, which are certain", () => {
    expect(placesOf('limits:\n  a: 5/q\n  b: "5/s\n  c: 5/q\n')).toEqual(["2:8+1", "3:6+1"]);
    expect(placesOf("limits:\n\ta: 5/q\n")).toEqual(["2:1+1"]);
  });

  test("far to the right are shown with what is around them", () => {
    const text = `limits:\n  a: ${"10/s or ".repeat(40)}5/q\n`;
    const [, , line = "", carets = ""] = shown(text).split("\n");
    expect(line.length).toBeLessThan(115);
    expect(line[carets.indexOf("^")]).toBe("q");
  });

  test("are shown in a line of spaces where there are tabs and other invisible characters", () => {
    expect(shown("limits:\n  a: 5/s\t\u0007or\n")).toContain("  2 |   a: 5/s  or\n");
  });
});

describe("secrets", () => {
  test.each([
    ["a token that is wrong", "tokens:\n  - geheim\n"],
    ["a token that is a number", "tokens: [4711]\n", "4711"],
    ["a list on one line, in JSON", '{"tokens": ["geheim geheim"], "x": 1}'],
    ["a token under a name nearly right", "tokns:\n- geheimgeheim\n"],
    ["a password in a URL", "store: redis://me:geheim@host:abc\n"],
    ["a password with signs in it", "store: redis://me:ge/geheim:@x@host:abc\n"],
    ["a password under a name of its own", "store:\n  url: memory\n  password: geheim\n"],
    ["a token behind a tab", "tokens:\n\t- geheimgeheim\n"],
    ["a token without its closing quote", 'tokens:\n  - "geheimgeheim\n'],
    ["a token as a map", "tokens:\n  geheimgeheim: 1\n"],
    ["a password in a URL without a scheme", "store: me:geheim@host\n"],
    ["a password behind an equals sign", "store = redis://me:geheim@host\n"],
    ["a token under another name", "api_keys: [geheimgeheim]\n"],
    ["a token in the place of a rule", "limits:\n  token: geheimgeheim\n"],
    ["a token that looks like an alias", "tokens: [*geheimgeheim]\n"],
    ["a token that looks like a tag", "tokens: [!geheimgeheim x]\n"],
    ["a token that is no escape", 'tokens: ["\\u-geheim"]\n'],
    ["a token that is nearly a word of ours", "tokens: [shadwo]\n", "shadwo"],
  ])("%s is not shown", (_, text, secret = "geheim") => {
    expect(shown(text)).not.toBe("no mistake");
    expect(shown(text)).not.toContain(secret);
  });

  test("are not suspected in the names of limits", () => {
    expect(shown("limits:\n  password-reset: ip:5/q\n  token: ip:5/q\n")).toContain("password-reset: ip:5/q");
  });
});

describe("hostile files", () => {
  const laughs = Array.from(
    { length: 12 },
    (_, index) =>
      `a${index}: &a${index} [${Array(9)
        .fill(index === 0 ? "x" : `*a${index - 1}`)
        .join(", ")}]\n`,
  ).join("");

  test.each([
    ["a billion aliases", laughs, "more than 100000 values"],
    ["a megabyte and more", "#".repeat(1_000_001), "at most 1 MB"],
    ["brackets without end", "[".repeat(900_000), "not nested this deep"],
    ["braces without end", "{a: ".repeat(200_000), "not nested this deep"],
    ["dashes without end", "- ".repeat(400_000), "not nested this deep"],
    ["question marks without end", "? ".repeat(400_000), "not nested this deep"],
    ["colons without end", ": ".repeat(400_000), "not nested this deep"],
    [
      "stairs",
      Array.from({ length: 1200 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"),
      "not nested this deep",
    ],
    ["more signs than anybody reads", "a,".repeat(400_000).replace(/^/, "["), "cannot be read"],
    ["lines of anchors", "- &a\n".repeat(60_000), "cannot be read"],
  ])("%s", (_, text, words) => {
    expect(shown(text)).toContain(words);
  });
});
