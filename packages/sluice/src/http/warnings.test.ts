import { expect, test, vi } from "vitest";
import { warnOnce } from "./warnings.js";

test("each thing is said once", () => {
  const onWarning = vi.fn();
  const warn = warnOnce(onWarning);
  for (const name of ["a", "b", "a"]) warn(name, `about ${name}`);
  expect(onWarning.mock.calls).toEqual([["about a"], ["about b"]]);
});

test("on the console, where nobody else listens", () => {
  const print = vi.spyOn(console, "warn").mockImplementation(() => {});
  warnOnce()("a", "about a");
  expect(print.mock.calls).toEqual([["sluice: about a"]]);
  print.mockRestore();
});
