import { expect, test } from "vitest";
import { OrderedReplies } from "./ordered-replies.js";

test("come out in the order of their places", () => {
  const replies = new OrderedReplies();
  const [first, second, third] = [replies.reserve(), replies.reserve(), replies.reserve()];
  replies.fill(second, "two ");
  expect(replies.takeReady()).toBe("");
  expect([replies.waiting, replies.held]).toEqual([3, 4]);
  replies.fill(first, "one ");
  expect(replies.takeReady()).toBe("one two ");
  expect([replies.waiting, replies.held]).toEqual([1, 0]);
  replies.fill(third, "three");
  expect(replies.takeReady()).toBe("three");
  expect([replies.waiting, replies.held]).toEqual([0, 0]);
});

test("any number of them, filled from behind", () => {
  const replies = new OrderedReplies();
  const places = Array.from({ length: 5_000 }, () => replies.reserve());
  for (let place = 4_999; place >= 0; place -= 1) {
    expect(replies.takeReady()).toBe("");
    replies.fill(places[place]!, `${place},`);
  }
  expect(replies.takeReady()).toBe(places.map((_, place) => `${place},`).join(""));
  expect(replies.waiting).toBe(0);
});
