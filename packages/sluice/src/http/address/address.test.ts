import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isIpv4, parseAddress } from "./address.js";
import { addressText, identityOf } from "./address-text.js";

const canonical = (text: string) => {
  const address = parseAddress(text);
  return address === undefined ? undefined : addressText(address);
};

describe("one address has one text", () => {
  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["0.0.0.0", "0.0.0.0"],
    ["255.255.255.255", "255.255.255.255"],
    ["::", "::"],
    ["::1", "::1"],
    ["2001:db8::", "2001:db8::"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["2001:0db8::0001", "2001:db8::1"],
    ["2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
    ["1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"],
    ["64:ff9b::192.0.2.1", "64:ff9b::c000:201"],
    ["::192.0.2.1", "::c000:201"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::FFFF:c000:0201", "192.0.2.1"],
    ["0:0:0:0:0:ffff:c000:201", "192.0.2.1"],
    ["0000:0000:0000:0000:0000:ffff:192.0.2.1", "192.0.2.1"],
    ["fe80::1%eth0", "fe80::1"],
    ["fe80::1%12", "fe80::1"],
    ["::ffff:192.0.2.1%eth0", "192.0.2.1"],
  ])("%s is %s", (text, expected) => expect(canonical(text)).toBe(expected));
});

describe("what is no address is refused", () => {
  test.each([
    ...["", " ", "localhost", "unknown", "_hidden", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4"],
    ...["1.2.3.04", "0x1.2.3.4", "1.2.3.4 ", " 1.2.3.4", "1.2.3.-4", "1.2.3.4%eth0", "1..3.4", "1.2.3.4e0"],
    ...[":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4::5:6:7:8", "12345::", "g::"],
    ...["1.2.3.4::", "::1.2.3", "::1.2.3.4:5", "::1%", "::1%a b", "::1 ", "[::1]", "1:2:3:4:5:6:7:1.2.3.4"],
    ...["\u0661.2.3.4", "1.2.3.4\u0000", "::1\n", `::${"0".repeat(200)}`, "1".repeat(100_000)],
  ])("%j", (text) => expect(parseAddress(text)).toBeUndefined());
});

const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
const piece = fc.oneof(
  { weight: 6, arbitrary: group },
  { weight: 4, arbitrary: fc.constantFrom(":", "::", ".", "%", "[", "]", "0", "ffff", "00000", "g", " ") },
  { weight: 2, arbitrary: fc.ipV4() },
);
const nearlyAddress = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.array(piece, { maxLength: 17 }).map((pieces) => pieces.join("")),
  fc.array(group, { minLength: 6, maxLength: 9 }).map((groups) => groups.join(":")),
);

test("exactly what Node takes for an address is one", () => {
  fc.assert(
    fc.property(nearlyAddress, (text) => {
      fc.pre(!text.includes("%"));
      expect(parseAddress(text) !== undefined, text).toBe(isIP(text) !== 0);
    }),
    { numRuns: 3000 },
  );
});

test("the text is that of a URL's host, and parses to the same address", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }),
      fc.boolean(),
      (groups, sparse) => {
        const spelling = groups
          .map((each, index) => (sparse && index % 3 > 0 ? 0 : each).toString(16))
          .join(":");
        const address = parseAddress(spelling)!;
        fc.pre(!isIpv4(address));
        expect(addressText(address)).toBe(new URL(`http://[${spelling}]/`).hostname.slice(1, -1));
        expect(parseAddress(addressText(address))).toEqual(address);
      },
    ),
  );
});

describe("a client is", () => {
  test.each([
    ["203.0.113.7", 56, "203.0.113.7"],
    ["::ffff:203.0.113.7", 56, "203.0.113.7"],
    ["::ffff:cb00:7107", 1, "203.0.113.7"],
    ["2001:db8:0:1ff:aaaa::1", 56, "2001:db8:0:100::/56"],
    ["2001:db8:0:100::", 56, "2001:db8:0:100::/56"],
    ["2001:db8:0:1ff:aaaa::1", 64, "2001:db8:0:1ff::/64"],
    ["2001:db8:0:1ff:aaaa::1", 48, "2001:db8::/48"],
    ["2001:db8:0:1ff:aaaa::1", 128, "2001:db8:0:1ff:aaaa::1"],
    ["ffff::", 1, "8000::/1"],
    ["ffff::ffff", 127, "ffff::fffe/127"],
    ["64:ff9b::203.0.113.7", 56, "64:ff9b::cb00:7107"],
    ["64:ff9b::203.0.113.8", 56, "64:ff9b::cb00:7108"],
    ["64:ff9b:1::203.0.113.7", 56, "64:ff9b:1::/56"],
  ])("%s with a prefix of %i: %s", (text, prefix, expected) => {
    expect(identityOf(parseAddress(text)!, prefix)).toBe(expected);
  });
});
