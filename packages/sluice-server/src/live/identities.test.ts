import { describe, expect, test } from "vitest";
import { Identities } from "./identities.js";

const shown = (list: ReturnType<Identities["busiest"]>) =>
  list.map(({ values, count }) => [...values, count]);

describe("who is asking", () => {
  test("the busiest and the most refused, each with what is known of it", () => {
    const identities = new Identities(["user", "ip"]);
    for (let time = 0; time < 5; time += 1) identities.saw({ user: "ada", ip: "192.0.2.1" }, false);
    for (let time = 0; time < 3; time += 1) identities.saw({ user: 42, ip: null }, time > 0);
    expect(shown(identities.busiest())).toEqual([
      ["ada", "192.0.2.1", 5],
      ["42", undefined, 3],
    ]);
    expect(shown(identities.mostRefused())).toEqual([["42", undefined, 2]]);
    expect(identities.mostRefused()[0]!.facts).toEqual({ user: "42", ip: null });
    expect(identities.errorAtMost).toBe(0);
  });

  test("two that would look alike when joined are two", () => {
    const identities = new Identities(["a", "b"]);
    identities.saw({ a: 'x","y', b: "z" }, false);
    identities.saw({ a: "x", b: 'y","z' }, false);
    identities.saw({ a: "null", b: "" }, false);
    identities.saw({ a: null, b: "" }, false);
    expect(identities.busiest()).toHaveLength(4);
  });

  test("the last window is remembered, and the one before it is not", () => {
    const identities = new Identities(["user"]);
    identities.saw({ user: "ada" }, false);
    identities.turn();
    identities.saw({ user: "ada" }, false);
    expect(shown(identities.busiest())).toEqual([["ada", 2]]);
    identities.turn();
    expect(shown(identities.busiest())).toEqual([["ada", 1]]);
    identities.turn();
    expect(identities.busiest()).toEqual([]);
  });

  test("what is too long to keep is counted, cut, and cannot be asked about", () => {
    const identities = new Identities(["user"]);
    const long = "x".repeat(50_000);
    for (let time = 0; time < 2; time += 1) identities.saw({ user: `${long}1` }, false);
    identities.saw({ user: `${long}2` }, false);
    const [first, second] = identities.busiest();
    expect(first).toMatchObject({ count: 2, facts: undefined });
    expect(first!.values[0]).toMatch(/^x{180}… #[\w-]{8}$/);
    expect(second).toMatchObject({ count: 1 });
    expect(second!.values).not.toEqual(first!.values);
  });
});
