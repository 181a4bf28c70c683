/** Collects what a process would die of: rejections that nobody handles, and exceptions that nobody catches. */
import { afterAll, afterEach, expect } from "vitest";

/** For a test file: after each of its tests, there must have been none. */
export function expectNoStrays(): void {
  const strays: unknown[] = [];
  const collect = (stray: unknown) => strays.push(stray);
  process.on("unhandledRejection", collect).on("uncaughtException", collect);
  afterEach(() => expect(strays).toEqual([]));
  afterAll(() => {
    process.off("unhandledRejection", collect).off("uncaughtException", collect);
  });
}
