import { describe, expect, test, vi } from "vitest";
import { BadOption } from "../../errors.js";
import type { HttpRequest } from "../request.js";
import { type FactsOption, factsReader } from "./request-facts.js";

const REQUEST: HttpRequest = { method: "GET", path: "/", address: "::1", header: () => undefined };

interface User {
  readonly user?: string;
}

function reader(facts: FactsOption<User> | undefined, needed?: readonly string[]) {
  const ip = vi.fn(() => "address");
  const read = factsReader<User>({ facts, ip, needed: needed && new Set(needed) });
  return { ip, read: async (native: User = {}) => read(native, REQUEST) };
}

describe("facts are", () => {
  test.each<[string, FactsOption<User> | undefined, readonly string[] | undefined, object]>([
    ["the address by default", undefined, ["ip"], { ip: "address" }],
    ["nothing where nothing is needed", undefined, [], {}],
    ["what readers find", { user: ({ user }) => user }, ["user"], { user: "ada" }],
    [
      "together with the address",
      { user: ({ user }) => user },
      ["user", "ip"],
      { user: "ada", ip: "address" },
    ],
    [
      "what comes later",
      { user: async ({ user }) => user, a: () => 1 },
      ["user", "a"],
      { user: "ada", a: 1 },
    ],
    ["another address", { ip: () => "mine" }, ["ip"], { ip: "mine" }],
    ["only what is needed", { user: ({ user }) => user, plan: () => "pro" }, ["plan"], { plan: "pro" }],
    [
      "all, where nobody knows what is needed",
      { plan: () => "pro" },
      undefined,
      { plan: "pro", ip: "address" },
    ],
    ["what one function finds", ({ user }) => ({ user }), ["user"], { user: "ada" }],
    ["later too", async ({ user }) => ({ user }), ["user", "ip"], { user: "ada", ip: "address" }],
    ["with its own address", () => ({ ip: null }), undefined, { ip: null }],
  ])("%s", async (_, facts, needed, expected) => {
    expect({ ...(await reader(facts, needed).read({ user: "ada" })) }).toEqual(expected);
  });
});

describe("an address is not looked at", () => {
  test("where the rule does not count by it", async () => {
    const { read, ip } = reader({ user: () => "ada" }, ["user"]);
    await read();
    expect(ip).not.toHaveBeenCalled();
  });

  test("before a limit asks, and then once", async () => {
    const { read, ip } = reader({ user: () => "ada" });
    const facts = await read();
    expect(facts["user"]).toBe("ada");
    expect(ip).not.toHaveBeenCalled();
    expect([facts["ip"], facts["ip"]]).toEqual(["address", "address"]);
    expect(ip).toHaveBeenCalledTimes(1);
  });
});

test("what a reader throws is thrown, and no later one is asked", async () => {
  const later = vi.fn();
  const { read } = reader({ a: () => Promise.reject(new Error("late")), b: later }, ["a", "b"]);
  await expect(read()).rejects.toThrow("late");
  expect(later).not.toHaveBeenCalled();
});

test.each<[unknown]>([[null], ["user"], [[]], [{ user: "ada" }], [{ user: undefined }]])(
  "facts of %j are refused",
  (facts) => {
    expect(() => reader(facts as FactsOption<User>)).toThrow(BadOption);
  },
);
