import fc from "fast-check";
import { expect, test } from "vitest";
import { ExpiryQueue } from "./expiry-queue.js";

test("finds exactly the dead, whatever was added, postponed and removed", () => {
  const actions = fc.array(
    fc.record({
      kind: fc.constantFrom("add", "add", "postpone", "hasten", "remove", "remove", "sweep"),
      slot: fc.integer({ min: 0, max: 30 }),
      by: fc.integer({ min: 0, max: 50 }),
    }),
    { maxLength: 200 },
  );
  fc.assert(
    fc.property(actions, (steps) => {
      const deaths = new Map<number, number>();
      const queue = new ExpiryQueue((slot) => deaths.get(slot)!);
      queue.grow(31);
      let now = 0;
      for (const { kind, slot, by } of steps) {
        const known = deaths.get(slot);
        if (kind === "add" && known === undefined) {
          deaths.set(slot, now + by);
          queue.add(slot, now + by);
        } else if (kind === "postpone" && known !== undefined) {
          deaths.set(slot, known + by);
        } else if (kind === "hasten" && known !== undefined) {
          deaths.set(slot, known - by);
          queue.hasten(slot, known - by);
        } else if (kind === "remove" && known !== undefined) {
          deaths.delete(slot);
          queue.remove(slot);
        } else if (kind === "sweep") {
          now += by;
          const expected = [...deaths].filter(([, death]) => death <= now).map(([dead]) => dead);
          const found: number[] = [];
          for (let dead = queue.dead(now); dead !== -1; dead = queue.dead(now)) {
            found.push(dead);
            queue.remove(dead);
            deaths.delete(dead);
          }
          expect(found.sort()).toEqual(expected.sort());
        }
      }
    }),
    { numRuns: 2_000 },
  );
});
