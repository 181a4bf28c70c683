import { describe, expect, test } from "vitest";
import { TokenGuard } from "./tokens.js";

test.each([
  ["secret", ["secret"], { kind: "right", index: 0 }],
  ["second", ["first", "second", "third"], { kind: "right", index: 1 }],
  ["secret", [], { kind: "wrong" }],
  ["", ["secret"], { kind: "wrong" }],
  ["secre", ["secret"], { kind: "wrong" }],
  ["secrets", ["secret"], { kind: "wrong" }],
  ["Secret", ["secret"], { kind: "wrong" }],
])("%j among %j: %j", (given, tokens, expected) =>
  expect(new TokenGuard().check(given, tokens, "192.0.2.1")).toEqual(expected),
);

describe("who guesses", () => {
  function guarded() {
    const time = { ms: 0 };
    const guard = new TokenGuard(() => time.ms);
    const ask = (token: string, address = "192.0.2.1") => guard.check(token, ["right"], address);
    const guess = (times: number, address?: string) => {
      for (let number = 0; number < times; number += 1) expect(ask("wrong", address).kind).toBe("wrong");
    };
    return { time, ask, guess };
  }

  test("is blocked after ten guesses, for twice as long each time, and a minute at most", () => {
    const { time, ask, guess } = guarded();
    guess(10);
    for (const blockMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      guess(1);
      expect(ask("wrong")).toEqual({ kind: "blocked", retryAfterMs: blockMs });
      time.ms += blockMs - 1;
      expect(ask("right")).toEqual({ kind: "blocked", retryAfterMs: 1 });
      time.ms += 1;
    }
    expect(ask("right")).toEqual({ kind: "right", index: 0 });
  });

  test("does not keep others out, elsewhere or at the same address", () => {
    const { ask, guess } = guarded();
    expect(ask("right").kind).toBe("right");
    guess(11);
    expect(ask("wrong").kind).toBe("blocked");
    expect(ask("right").kind).toBe("right");
    expect(ask("right", "192.0.2.2").kind).toBe("right");
    guess(10, "192.0.2.2");
  });

  test("is one client in a network of IPv6, and in both spellings of IPv4", () => {
    const { ask, guess } = guarded();
    guess(11, "2001:db8::1");
    expect(ask("right", "2001:db8::2").kind).toBe("blocked");
    guess(11, "::ffff:192.0.2.1");
    expect(ask("right", "192.0.2.1").kind).toBe("blocked");
  });

  test("is forgotten after ten minutes, and when ten thousand others have guessed since", () => {
    const { time, guess } = guarded();
    guess(10);
    time.ms += 600_000;
    guess(10);
    for (let number = 0; number < 10_000; number += 1) guess(1, `10.0.${number >> 8}.${number & 255}`);
    guess(10);
  });
});
