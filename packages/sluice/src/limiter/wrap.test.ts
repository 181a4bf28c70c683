import { describe, expect, test } from "vitest";
import { sluiceAt } from "../../test/sluice-at.js";
import { BadOption } from "../errors.js";
import { RateLimitExceeded } from "./rate-limit-exceeded.js";

describe("wrap", () => {
  test("limits a function under its own name, and passes arguments, this and results through", async () => {
    const { sluice } = sluiceAt(0);
    const limiter = sluice.limit("user:1/m", { selectors: { user: (name: string) => name } });
    const post = {
      sender: "post",
      send: limiter.wrap(function send(this: { sender: string }, to: string, text: string) {
        return `${this.sender}: ${text} to ${to}`;
      }),
    };
    expect(await post.send("ada", "hi")).toBe("post: hi to ada");
    await expect(post.send("ada", "hi")).rejects.toThrow(RateLimitExceeded);
    expect(await post.send("bob", "hi")).toBe("post: hi to bob");
    expect(post.send.name).toBe("send");
    expect(post.send.length).toBe(2);

    const other = limiter.wrap(async function other(name: string) {
      return name;
    });
    expect(await other("ada")).toBe("ada");
  });

  test.each([undefined, 5, "f"])("%s cannot be wrapped", (work) => {
    const { sluice } = sluiceAt(0);
    expect(() => sluice.limit("1/m").wrap(work as never)).toThrow(BadOption);
  });

  test("with a key, functions share their counters", async () => {
    const { sluice } = sluiceAt(0);
    const limiter = sluice.limit("2/m", { key: "shared" });
    const one = limiter.wrap(() => 1);
    const two = limiter.wrap(() => 2);
    expect([await one(), await two()]).toEqual([1, 2]);
    await expect(one()).rejects.toThrow(RateLimitExceeded);
  });

  test("what the function throws goes through, and stays charged", async () => {
    const { sluice } = sluiceAt(0);
    const failing = sluice.limit("1/m").wrap(() => {
      throw new TypeError("own");
    });
    await expect(failing()).rejects.toThrow(TypeError);
    await expect(failing()).rejects.toThrow(RateLimitExceeded);
  });
});
