/** The decorator in TypeScript's older form, which this folder's tsconfig turns on. */
import { expect, test } from "vitest";
import { createSluice, RateLimitExceeded } from "../../src/index.js";

const sluice = createSluice();

class Api {
  constructor(readonly apikey: string) {}

  user() {
    return `user of ${this.apikey}`;
  }

  @sluice.limit("user:1/m and apikey:2/m")
  async doStuff(amount: number) {
    return `${this.apikey}: ${amount}`;
  }

  @sluice.limit("1/m", { key: "static" })
  static async make() {
    return "made";
  }
}

test("reads its selectors from the instance, and refuses only when both are over", async () => {
  const api = new Api("k1");
  expect(await api.doStuff(1)).toBe("k1: 1");
  expect(await api.doStuff(2)).toBe("k1: 2");
  await expect(api.doStuff(3)).rejects.toThrow(RateLimitExceeded);
  expect(await new Api("k2").doStuff(1)).toBe("k2: 1");
});

test("works on static methods", async () => {
  expect(await Api.make()).toBe("made");
  await expect(Api.make()).rejects.toThrow(RateLimitExceeded);
});
