import { expect, test } from "vitest";
import { HeldBytes, type Holder } from "./held-bytes.js";

function holder(name: string, dropped: string[]): Holder {
  return { held: 0, drop: () => dropped.push(name) };
}

test("who holds most goes, and no more than have to", () => {
  const dropped: string[] = [];
  const [small, large, middle] = ["small", "large", "middle"].map((name) => holder(name, dropped));
  const bytes = new HeldBytes(100, [small!, large!, middle!]);
  bytes.note(large!, 60);
  bytes.note(middle!, 30);
  bytes.note(small!, 10);
  expect(dropped).toEqual([]);
  bytes.note(small!, 11);
  expect(dropped).toEqual(["large"]);
  bytes.note(small!, 71);
  expect(dropped).toEqual(["large", "small"]);
  bytes.note(middle!, 100);
  expect(dropped).toEqual(["large", "small"]);
});

test("what is let go is room for others", () => {
  const dropped: string[] = [];
  const [one, other] = ["one", "other"].map((name) => holder(name, dropped));
  const bytes = new HeldBytes(100, [one!, other!]);
  for (let round = 0; round < 10; round += 1) {
    bytes.note(one!, 90);
    bytes.note(one!, 0);
    bytes.note(other!, 90);
    bytes.note(other!, 0);
  }
  expect(dropped).toEqual([]);
});
