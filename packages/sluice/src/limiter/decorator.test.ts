import { expect, test } from "vitest";
import { BadOption } from "../errors.js";
import { MissingSelector } from "../plan/selectors.js";
import { RateLimitExceeded } from "./rate-limit-exceeded.js";
import { createSluice } from "./sluice.js";

test("a standard decorator reads its selectors from this: a value or a method", async () => {
  const sluice = createSluice();
  class Api {
    constructor(readonly apikey: string) {}
    user() {
      return `user of ${this.apikey}`;
    }
    @sluice.limit("user:2/m or apikey:9/m")
    async doStuff(amount: number) {
      return `${this.apikey}: ${amount}`;
    }
  }
  const api = new Api("k1");
  expect(await api.doStuff(7)).toBe("k1: 7");
  expect(await api.doStuff(8)).toBe("k1: 8");
  await expect(api.doStuff(9)).rejects.toThrow(RateLimitExceeded);
  expect(await new Api("k2").doStuff(1)).toBe("k2: 1");
  expect(api.doStuff.name).toBe("doStuff");
});

test("the method's name is the key, unless one is given", async () => {
  const sluice = createSluice();
  class One {
    @sluice.limit("1/m")
    async run() {
      return 1;
    }
    @sluice.limit("1/m")
    async walk() {
      return 2;
    }
    @sluice.limit("1/h", { key: "shared" })
    async swim() {
      return 3;
    }
    @sluice.limit({ key: "shared" })
    async dive() {
      return 4;
    }
  }
  const one = new One();
  expect(await one.run()).toBe(1);
  expect(await one.walk()).toBe(2);
  await expect(one.run()).rejects.toThrow(RateLimitExceeded);
  expect(await one.swim()).toBe(3);
  await expect(one.dive()).rejects.toThrow(RateLimitExceeded);
});

test("static and private methods, and methods named by a symbol", async () => {
  const sluice = createSluice();
  const name = Symbol("bySymbol");
  class Api {
    @sluice.limit("1/m")
    static async make() {
      return "made";
    }
    @sluice.limit("1/m")
    async #secret() {
      return "secret";
    }
    @sluice.limit("1/m")
    async [name]() {
      return "symbol";
    }
    tell() {
      return this.#secret();
    }
  }
  expect(await Api.make()).toBe("made");
  await expect(Api.make()).rejects.toThrow(RateLimitExceeded);
  const api = new Api();
  expect(await api.tell()).toBe("secret");
  await expect(api.tell()).rejects.toThrow(RateLimitExceeded);
  expect(await api[name]()).toBe("symbol");
  await expect(api[name]()).rejects.toThrow(RateLimitExceeded);
});

test("a static method reads its selectors from the class", async () => {
  const sluice = createSluice();
  class Api {
    readonly name = "an api";
    static user = "all of them";
    @sluice.limit("user:1/m")
    static async make() {
      return "made";
    }
  }
  expect(await Api.make()).toBe("made");
  await expect(Api.make()).rejects.toThrow(RateLimitExceeded);
});

test("an instance without the selector is an error, not a hole", async () => {
  const sluice = createSluice();
  class Api {
    @sluice.limit("user:1/m")
    async doStuff() {
      return 1;
    }
  }
  await expect(new Api().doStuff()).rejects.toThrow(MissingSelector);
});

test.each([
  ["a class", [class {}, { kind: "class", name: "A" }]],
  ["a field", [undefined, { kind: "field", name: "f" }]],
  ["a getter in the older form", [{}, "g", { get: () => 1 }]],
  ["a plain function", [() => 1]],
  ["nothing", []],
])("on %s it is an error", (_, args) => {
  const decorator = createSluice().limit("1/m") as unknown as (...args: unknown[]) => unknown;
  expect(() => decorator(...args)).toThrow(BadOption);
});
