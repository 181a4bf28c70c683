import { expect, test } from "vitest";
import { hashTagOf, slotOf } from "./slot.js";

/** As a Redis Cluster answers to CLUSTER KEYSLOT. */
test.each([
  ["123456789", 12_739],
  ["foo", 12_182],
  ["", 0],
  ["{user1000}.following", 3_443],
  ["user1000", 3_443],
  ["sluice:{user:42}:login:gcra1,10,1000000", slotOf("user:42")],
])("%s is in slot %i", (key, slot) => {
  expect(slotOf(key)).toBe(slot);
});

test.each([
  ["a{b}c", "b"],
  ["a{b}{c}", "b"],
  ["a{}b", "a{}b"],
  ["a{b", "a{b"],
  ["}a{b}", "b"],
])("the hash tag of %s is %s", (key, tag) => {
  expect(hashTagOf(key)).toBe(tag);
});
