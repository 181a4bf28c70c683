import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { addressText } from "./address-text.js";
import { parseElement, startOfElement } from "./proxy-list.js";

function read(header: string, element: string): string | undefined {
  const address = parseElement(header, element);
  return address === undefined ? undefined : addressText(address);
}

describe("an element of X-Forwarded-For", () => {
  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["\t 192.0.2.1 ", "192.0.2.1"],
    ["192.0.2.1:8080", "192.0.2.1"],
    ["2001:db8::1", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["[::ffff:192.0.2.1]:443", "192.0.2.1"],
    ["fe80::1%eth0", "fe80::1"],
  ])("%j is %s", (element, expected) => expect(read("x-forwarded-for", element)).toBe(expected));

  test.each([
    ...[
      "",
      " ",
      "unknown",
      "_hidden",
      "localhost",
      '"192.0.2.1"',
      "for=192.0.2.1",
      "192.0.2.1:",
      "192.0.2.1:x",
    ],
    ...[
      "192.0.2.1:65536",
      "192.0.2.1:-1",
      "192.0.2.1:00",
      "[192.0.2.1]",
      "[2001:db8::1",
      "2001:db8::1]",
      "[]",
    ],
    ...["[2001:db8::1]443", "[2001:db8::1]:", "[2001:db8::1]:1:1", "192.0.2.1 192.0.2.2", "192.0.2.1;", "%"],
  ])("%j is no address", (element) => expect(read("x-forwarded-for", element)).toBeUndefined());
});

describe("an element of Forwarded", () => {
  test.each([
    ["for=192.0.2.1", "192.0.2.1"],
    ["For=192.0.2.1", "192.0.2.1"],
    ['for="192.0.2.1"', "192.0.2.1"],
    ['for="192.0.2.1:8080"', "192.0.2.1"],
    ['for="192.0.2.1:_port"', "192.0.2.1"],
    ['for="[2001:db8::1]"', "2001:db8::1"],
    ['for="[2001:db8::1]:8080"', "2001:db8::1"],
    ["proto=https;for=192.0.2.1;by=203.0.113.1", "192.0.2.1"],
    ["proto=https; for=192.0.2.1 ;host=example.org", "192.0.2.1"],
    ['for=192.0.2.1;host="a,b;for=6.6.6.6"', "192.0.2.1"],
    ["for=192.0.2.1;", "192.0.2.1"],
  ])("%j is %s", (element, expected) => expect(read("forwarded", element)).toBe(expected));

  test.each([
    ...["", "192.0.2.1", "for", "for=", 'for="', 'for=""', "for=unknown", "for=_hidden", 'for="_hidden:80"'],
    ...[
      "proto=https",
      "for=192.0.2.1;for=192.0.2.2",
      "for=192.0.2.1:80",
      "for=[2001:db8::1]",
      "for = 192.0.2.1",
    ],
    ...['for="2001:db8::1"', 'for="192.0.2.1', 'for="192.0.2.\\1"', 'for="192.0.2.1"x', ";for=192.0.2.1"],
    ...["for=192.0.2.1 for=192.0.2.2", "by=192.0.2.1", "xfor=192.0.2.1", 'for="192.0.2.1";host="a\\"b"'],
  ])("%j is no address", (element) => expect(read("forwarded", element)).toBeUndefined());
});

describe("lists are taken apart from the right", () => {
  function elements(list: string): readonly (string | undefined)[] {
    const found: (string | undefined)[] = [];
    for (let end = list.length; end >= 0; ) {
      const start = startOfElement(list, end);
      if (start === undefined) return [...found, undefined];
      found.push(list.slice(start, end));
      end = start - 1;
    }
    return found;
  }

  test.each([
    ["a", ["a"]],
    ["a,b,c", ["c", "b", "a"]],
    ["a,,b", ["b", "", "a"]],
    [",", ["", ""]],
    ['for="a,b",c', ["c", 'for="a,b"']],
    /** A quote that a client left open does not reach what the proxy wrote. */
    ['for="x,for=1.2.3.4', ["for=1.2.3.4", 'for="x']],
    [`${"x".repeat(513)},b`, ["b", undefined]],
  ])("%j", (list, expected) => expect(elements(list)).toEqual(expected));

  test("any list without quotes, as a split does", () => {
    const element = fc.string({ maxLength: 20 }).map((text) => text.replace(/["]/g, ""));
    fc.assert(
      fc.property(fc.array(element, { minLength: 1 }), (parts) => {
        const list = parts.join(",");
        expect(elements(list)).toEqual(list.split(",").reverse());
      }),
    );
  });
});

test("of an endless element no more is read than an element may be long", () => {
  const read = vi.spyOn(String.prototype, "charCodeAt");
  try {
    expect(startOfElement("x".repeat(100_000), 100_000)).toBeUndefined();
    expect(read.mock.calls.length).toBeLessThan(600);
  } finally {
    read.mockRestore();
  }
});
