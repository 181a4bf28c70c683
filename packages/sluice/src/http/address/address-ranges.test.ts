import { BlockList, isIPv4 } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BadOption } from "../../errors.js";
import { parseAddress } from "./address.js";
import { parseRanges } from "./address-ranges.js";

describe("an address is in a range", () => {
  test.each([
    ["10.0.0.0/8", "10.255.0.1", true],
    ["10.0.0.0/8", "11.0.0.0", false],
    ["10.1.2.3/8", "10.9.9.9", true],
    ["10.0.0.0/8", "::ffff:10.0.0.1", true],
    ["10.0.0.0/8", "::ffff:a00:1", true],
    ["10.0.0.0/8", "a00::", false],
    ["::ffff:10.0.0.0/104", "10.3.2.1", true],
    ["::ffff:10.0.0.0/104", "11.3.2.1", false],
    ["192.0.2.1", "192.0.2.1", true],
    ["192.0.2.1", "192.0.2.2", false],
    ["2001:db8::/33", "2001:db8:7fff::", true],
    ["2001:db8::/33", "2001:db8:8000::", false],
    ["::/1", "1.2.3.4", false],
    ["loopback", "127.8.8.8", true],
    ["loopback", "::1", true],
    ["loopback", "::2", false],
    ["private", "172.31.255.255", true],
    ["private", "172.32.0.0", false],
    ["private", "192.168.0.1", true],
    ["private", "169.254.1.1", true],
    ["private", "fd12::1", true],
    ["private", "fe80::1%eth0", true],
    ["private", "127.0.0.1", false],
    ["private", "2001:db8::1", false],
  ])("%s, %s: %s", (range, address, expected) => {
    expect(parseRanges([range])(parseAddress(address)!)).toBe(expected);
  });
});

test("Node's BlockList says the same of any network", () => {
  const anyNetwork = fc.oneof(
    fc.tuple(fc.ipV4(), fc.integer({ min: 1, max: 32 })),
    fc.tuple(
      fc.ipV6().filter((text) => !isIPv4OfIpv6(text)),
      fc.integer({ min: 1, max: 128 }),
    ),
  );
  fc.assert(
    fc.property(anyNetwork, fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(), ([network, bits], other, flips) => {
      fc.pre(!isIPv4OfIpv6(other));
      const oracle = new BlockList();
      oracle.addSubnet(network, bits, isIPv4(network) ? "ipv4" : "ipv6");
      const inRange = parseRanges([`${network}/${bits}`]);
      for (const address of [other, network, withLastDigit(network, flips)]) {
        if (isIPv4OfIpv6(address)) continue;
        const sameFamily = isIPv4(address) === isIPv4(network);
        const expected = sameFamily && oracle.check(address, isIPv4(address) ? "ipv4" : "ipv6");
        expect(inRange(parseAddress(address)!), `${address} in ${network}/${bits}`).toBe(expected);
      }
    }),
    { numRuns: 1000 },
  );
});

/** Where the two differ on purpose: what is IPv4 inside is IPv4, and in no range of IPv6. */
function isIPv4OfIpv6(text: string): boolean {
  return text.includes(":") && parseAddress(text)!.length === 2;
}

function withLastDigit(text: string, digit: number): string {
  const changed = text.slice(0, -1) + (digit % 10);
  return parseAddress(changed) === undefined ? text : changed;
}

describe("a bad range throws where it is defined", () => {
  test.each([
    ...["", "proxy", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/08", "10.0.0.0/8/8", "10/8", "::/129", "::1/x"],
    ...["::ffff:10.0.0.0/95", "example.org", "10.0.0.1-10.0.0.9", 7, null, undefined],
  ])("%j", (range) => {
    expect(() => parseRanges([range as string])).toThrow(BadOption);
  });

  test.each(["0.0.0.0/0", "::/0", "::ffff:0.0.0.0/96"])("%s, which is everybody", (range) => {
    expect(() => parseRanges([range])).toThrow(/everybody/);
  });
});
