/** The docs are true: every code block runs, every command and link works, every name and error is covered. */
import { existsSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toRule } from "../src/rule/input.js";
import { exercise } from "./docs/commands.js";
import {
  anchorsOf,
  type Block,
  blocksOf,
  destination,
  expectedCode,
  expectedOutput,
  filesUnder,
  firstColumnOf,
  localLinksOf,
  ROOT,
  readText,
} from "./docs/markdown.js";
import { compile, createPlayground, type Outcome, run } from "./docs/playground.js";
import { type DocsServers, startDocsServers } from "./docs/servers.js";
import { declaredIn, errorCodes, exportsOf } from "./docs/sources.js";

const FILES = filesUnder("", ".md");
/** Has kinds of blocks of its own, which the test beside it runs. */
const GRAMMAR = "packages/sluice/src/rule/GRAMMAR.md";
/** Blocks that the tests of the server run: sessions in a terminal, configurations, a proxy's. */
const CHECKED_BY_THE_SERVER = ["console", "yaml", "nginx"];
const BLOCKS = FILES.filter((file) => file !== GRAMMAR).flatMap(blocksOf);
const PROGRAMS = BLOCKS.filter(({ language }) => language === "ts");
const ERROR_FOLDER = filesUnder("docs/reference/errors", ".md");
const ERROR_PAGES = ERROR_FOLDER.filter((file) => basename(file) !== "README.md");

const named = (blocks: readonly Block[]) =>
  blocks.map((block) => [`${block.file}:${block.line}`, block] as const);

let playground = "";
let servers: DocsServers | undefined;
let complaints = "";
const outcomes = new Map<Block, Outcome>();

beforeAll(async () => {
  servers = await startDocsServers();
  playground = createPlayground();
  complaints = compile(playground, PROGRAMS);
  const results = run(playground, PROGRAMS, servers);
  PROGRAMS.forEach((block, index) => {
    outcomes.set(block, results[index]!);
  });
}, 120_000);

afterAll(async () => {
  if (playground !== "") rmSync(playground, { recursive: true });
  await servers?.stop();
});

describe("code", () => {
  test("there is some in the README, the package's README and the guide", () => {
    for (const place of ["README.md", "packages/sluice/README.md", "docs/guide/"]) {
      expect(
        PROGRAMS.some(({ file }) => file.startsWith(place)),
        place,
      ).toBe(true);
    }
  });

  test("type-checks, in a strict project", () => expect(complaints).toBe(""));

  test.each(named(PROGRAMS))("%s does what its comments say", (_, block) => {
    const { printed, error } = outcomes.get(block)!;
    const code = expectedCode(block);
    if (error !== undefined && (code === undefined || error.code !== code)) throw new Error(error.stack);
    expect(error?.code).toBe(code);
    expect(printed).toBe(expectedOutput(block));
  });

  const others = BLOCKS.filter(({ language }) => language !== "ts");
  test.each(named(others))("%s is of a kind that is checked", (_, block) => {
    const { language, text } = block;
    if (language === "sh") for (const line of text.split("\n")) exercise(line);
    else if (language === "json") JSON.parse(text);
    else expect(["text", "mermaid", ...CHECKED_BY_THE_SERVER]).toContain(language);
  });

  const messages = BLOCKS.filter(({ language, mark }) => language === "text" && mark === "message");
  test.each(named(messages))("%s is the message of the error above it", (_, block) => {
    const before = BLOCKS[BLOCKS.indexOf(block) - 1]!;
    expect(outcomes.get(before)?.error?.message.replace(/ +$/gm, "")).toBe(block.text);
  });
});

const RULES = FILES.flatMap((file) => firstColumnOf(file, "rule"));

test.each(RULES)("%s, in a table of rules, can be read", (rule) => {
  expect(toRule(rule)).toBeDefined();
});

test.each(FILES.map((file) => [file]))("the links of %s lead somewhere", (file) => {
  const broken = localLinksOf(file).filter(({ target }) => {
    const { path, anchor } = destination(file, target);
    if (!existsSync(join(ROOT, path))) return true;
    return anchor !== "" && !anchorsOf(path).includes(anchor);
  });
  expect(broken.map(({ line, target }) => `${file}:${line}: ${target}`)).toEqual([]);
});

describe("the reference", () => {
  const code = [...readText("docs/reference/api.md").matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!);
  const words = new Set(code.join(" ").match(/\w+/g));

  const modules = ["index.ts", "http/index.ts", "store/redis/index.ts", "testing/index.ts"];
  const adapters = [
    ...filesUnder("packages/sluice/src/adapters", ".ts"),
    ...filesUnder("packages/sluice/src/drop-in", ".ts"),
  ];
  const published = adapters
    .map((file) => file.split("/src/")[1]!)
    .filter((file) => /^adapters\/([a-z]+)\/\1\.ts$|^drop-in\/(?!call-rules|hit-count)/.test(file));
  test.each([...new Set([...modules.flatMap(exportsOf), ...published.flatMap(declaredIn)])])(
    "says what %s is",
    (name) => {
      expect(words).toContain(name);
    },
  );

  test("has a page for every error code, and no other", () => {
    expect(ERROR_PAGES.map((page) => basename(page, ".md"))).toEqual(errorCodes());
  });

  test.each(ERROR_PAGES.map((page) => [page]))(
    "%s is listed, and shows how the error comes about",
    (page) => {
      const code = basename(page, ".md");
      const index = localLinksOf("docs/reference/errors/README.md").map(({ target }) => target);
      expect(index).toContain(`${code}.md`);
      expect(PROGRAMS.filter(({ file }) => file === page).map(expectedCode)).toContain(code);
    },
  );

  test("error pages link only to each other, since they are copied into the package", () => {
    const targets = ERROR_FOLDER.flatMap((page) => localLinksOf(page).map(({ target }) => target));
    expect(targets.filter((target) => target.includes("/"))).toEqual([]);
  });
});
