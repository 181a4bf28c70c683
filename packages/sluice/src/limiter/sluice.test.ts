import { describe, expect, test, vi } from "vitest";
import { BadOption, Closed } from "../errors.js";
import { RuleError } from "../rule/diagnostic.js";
import { memoryStore } from "../store/memory/memory-store.js";
import { createSluice, KeyConflict, UnknownKey } from "./sluice.js";

describe("keys", () => {
  test("without a key, equal rules share counters", async () => {
    const sluice = createSluice();
    await sluice.limit("user:1/h").consume({ user: "a" });
    const again = sluice.limit({ selector: "user", limit: 1, per: 3_600_000 });
    expect((await again.consume({ user: "a" })).allowed).toBe(false);
  });

  test("limit({ key }) reuses the rule and the selectors", async () => {
    const sluice = createSluice();
    const good = sluice.limit("user:1/h", { key: "cats", selectors: { user: () => "tom" } });
    const bad = sluice.limit({ key: "cats" });
    expect((await good.consume()).allowed).toBe(true);
    expect((await bad.consume()).allowed).toBe(false);
  });

  test("an unknown key is an error that names the known ones", () => {
    const sluice = createSluice();
    expect(() => sluice.limit({ key: "cats" })).toThrow(UnknownKey);
    sluice.limit("1/h", { key: "dogs" });
    expect(() => sluice.limit({ key: "cats" })).toThrow('(known: "dogs")');
  });

  test("a second, different rule for a known key is an error; the same rule is not", () => {
    const sluice = createSluice();
    sluice.limit("user:60/m", { key: "cats" });
    sluice.limit("user:60/60s", { key: "cats" });
    expect(() => sluice.limit("user:61/m", { key: "cats" })).toThrow(KeyConflict);
    expect(() => sluice.limit(() => "user:60/m", { key: "cats" })).toThrow(
      'The key "cats" already stands for user:60/m, and cannot also stand for a function.',
    );
  });

  test("namespaces keep apart what shares a store", async () => {
    const store = memoryStore();
    const one = createSluice({ namespace: "one", store }).limit("1/h");
    const two = createSluice({ namespace: "two", store }).limit("1/h");
    expect((await one.consume()).allowed).toBe(true);
    expect((await two.consume()).allowed).toBe(true);
  });
});

describe("bad definitions", () => {
  test.each(["", "10/sec", {}, { limit: 5 }, 7, null, undefined, []])(
    "the rule %j throws at once",
    (rule) => {
      expect(() => createSluice().limit(rule as string)).toThrow(RuleError);
    },
  );

  test.each([
    { kye: "login" },
    { key: 5 },
    { shadow: "yes" },
    { countRefused: 1 },
    { selectors: null },
    { selector: "user" },
    null,
    7,
  ])("the options %j throw at once", (options) => {
    expect(() => createSluice().limit("1/h", options as never)).toThrow(BadOption);
  });

  test.each([{ nampespace: "a" }, { store: {} }, { store: 5 }, { onDecision: 3 }, null])(
    "createSluice(%j) throws at once",
    (options) => {
      expect(() => createSluice(options as never)).toThrow(BadOption);
    },
  );

  test("limit({ key }) takes nothing else", () => {
    const sluice = createSluice();
    sluice.limit("1/h", { key: "cats" });
    expect(() => sluice.limit({ key: "cats", shadow: true } as never)).toThrow(BadOption);
    expect(() => sluice.limit({ key: "cats" } as never, { shadow: true })).toThrow(BadOption);
  });

  test.each(["", 5, null])("the namespace %j throws at once", (namespace) => {
    expect(() => createSluice({ namespace: namespace as string })).toThrow(BadOption);
  });
});

describe("close", () => {
  test("closes the memory store that Sluice made", async () => {
    const sluice = createSluice();
    const limiter = sluice.limit("1/h");
    await sluice.close();
    await expect(limiter.consume()).rejects.toThrow(Closed);
  });

  test("leaves a store that was given open", async () => {
    const store = memoryStore();
    const close = vi.spyOn(store, "close");
    const sluice = createSluice({ store });
    await sluice.close();
    expect(close).not.toHaveBeenCalled();
    expect((await sluice.limit("1/h").consume()).allowed).toBe(true);
  });
});
