import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { BadOption } from "../../errors.js";
import type { HttpRequest } from "../request.js";
import { BadAddress, type ClientAddressOptions, clientAddress, NoAddress } from "./client-address.js";

interface Sent {
  readonly peer?: string | undefined;
  readonly xff?: string;
  readonly forwarded?: string;
  readonly headers?: { readonly [name: string]: string };
}

function requestOf({ peer, xff, forwarded, headers = {} }: Sent): HttpRequest {
  const all: Record<string, string | undefined> = { "x-forwarded-for": xff, forwarded, ...headers };
  return { method: "GET", path: "/", address: peer, header: (name) => all[name] };
}

function clientOf(options: ClientAddressOptions, sent: Sent): string {
  return clientAddress({ onWarning: () => {}, ...options })(undefined, requestOf(sent));
}

const CLIENT = "203.0.113.7";
const VICTIM = "198.51.100.1";

describe("without trusted proxies the socket counts, whatever a client sends", () => {
  test.each<[Sent, string]>([
    [{ peer: CLIENT }, CLIENT],
    [{ peer: CLIENT, xff: VICTIM }, CLIENT],
    [{ peer: CLIENT, forwarded: `for=${VICTIM}` }, CLIENT],
    [{ peer: CLIENT, xff: "garbage", forwarded: "garbage" }, CLIENT],
    [{ peer: `::ffff:${CLIENT}`, xff: VICTIM }, CLIENT],
    [{ peer: "2001:db8::1" }, "2001:db8::/56"],
    [{ peer: "127.0.0.1", xff: VICTIM }, "127.0.0.1"],
  ])("%j", (sent, expected) => {
    for (const trust of [undefined, 0, []]) expect(clientOf({ trust }, sent)).toBe(expected);
  });
});

describe("with proxies by number", () => {
  test.each<[string, number, Sent, string]>([
    ["one proxy", 1, { peer: "10.0.0.1", xff: CLIENT }, CLIENT],
    ["the client forges an entry", 1, { peer: "10.0.0.1", xff: `${VICTIM}, ${CLIENT}` }, CLIENT],
    [
      "the client forges a thousand",
      1,
      { peer: "10.0.0.1", xff: `${`${VICTIM}, `.repeat(1000)}${CLIENT}` },
      CLIENT,
    ],
    ["the client forges garbage", 1, { peer: "10.0.0.1", xff: `"\\,;=\u0000, ${CLIENT}` }, CLIENT],
    ["the client leaves a quote open", 1, { peer: "10.0.0.1", xff: `", ${CLIENT}` }, CLIENT],
    ["the client sends an empty header", 1, { peer: "10.0.0.1", xff: `, ${CLIENT}` }, CLIENT],
    [
      "the client forges the other header",
      1,
      { peer: "10.0.0.1", xff: CLIENT, forwarded: `for=${VICTIM}` },
      CLIENT,
    ],
    ["two proxies", 2, { peer: "10.0.0.1", xff: `${VICTIM}, ${CLIENT}, 10.0.0.2` }, CLIENT],
    ["a request that went past the first of two", 2, { peer: "10.0.0.1", xff: CLIENT }, CLIENT],
    ["a proxy that asks on its own behalf", 1, { peer: "10.0.0.1" }, "10.0.0.1"],
    ["an empty header", 1, { peer: "10.0.0.1", xff: "" }, "10.0.0.1"],
    ["a proxy on a Unix socket", 1, { xff: CLIENT }, CLIENT],
    ["a port, as Azure writes it", 1, { peer: "10.0.0.1", xff: `${CLIENT}:51234` }, CLIENT],
    ["IPv6 with a port", 1, { peer: "10.0.0.1", xff: "[2001:db8::9]:51234" }, "2001:db8::/56"],
    ["IPv4 in IPv6", 1, { peer: "::ffff:10.0.0.1", xff: `::ffff:${CLIENT}` }, CLIENT],
  ])("%s", (_, trust, sent, expected) => expect(clientOf({ trust }, sent)).toBe(expected));
});

describe("with proxies by range", () => {
  const trust = ["loopback", "10.0.0.0/8", "2001:db8:ffff::/48"];
  test.each<[string, Sent, string]>([
    ["one proxy", { peer: "10.0.0.1", xff: CLIENT }, CLIENT],
    ["a client that comes past the proxies", { peer: CLIENT, xff: VICTIM }, CLIENT],
    ["and says it is a proxy", { peer: CLIENT, xff: `${VICTIM}, 10.0.0.1` }, CLIENT],
    ["the client forges an entry", { peer: "10.0.0.1", xff: `${VICTIM}, ${CLIENT}` }, CLIENT],
    ["and a proxy behind it", { peer: "10.0.0.1", xff: `${VICTIM}, 10.0.0.9, ${CLIENT}, 10.0.0.2` }, CLIENT],
    [
      "the client forges the other header",
      { peer: "10.0.0.1", xff: CLIENT, forwarded: `for=${VICTIM}` },
      CLIENT,
    ],
    ["three proxies", { peer: "127.0.0.1", xff: `${CLIENT}, 10.0.0.3, ::ffff:10.0.0.2` }, CLIENT],
    ["a proxy on IPv6", { peer: "2001:db8:ffff::1", xff: CLIENT }, CLIENT],
    ["a client inside", { peer: "10.0.0.1", xff: "10.0.0.77" }, "10.0.0.77"],
    ["a proxy that asks on its own behalf", { peer: "10.0.0.1" }, "10.0.0.1"],
    ["garbage that nobody needs", { peer: "10.0.0.1", xff: `garbage, ${CLIENT}` }, CLIENT],
  ])("%s", (_, sent, expected) => expect(clientOf({ trust }, sent)).toBe(expected));

  test("a socket without an address is no trusted proxy: a client who hangs up has none either", () => {
    expect(() => clientOf({ trust }, { xff: VICTIM })).toThrow(NoAddress);
  });
});

describe("with Forwarded", () => {
  const options = { trust: 1, proxyHeader: "Forwarded" };
  test.each<[string, Sent, string]>([
    ["one proxy", { peer: "10.0.0.1", forwarded: `for=${CLIENT};proto=https` }, CLIENT],
    ["the client forges an entry", { peer: "10.0.0.1", forwarded: `for=${VICTIM}, for=${CLIENT}` }, CLIENT],
    ["the client leaves a quote open", { peer: "10.0.0.1", forwarded: `for="x, for=${CLIENT}` }, CLIENT],
    [
      "the client forges the other header",
      { peer: "10.0.0.1", xff: VICTIM, forwarded: `for=${CLIENT}` },
      CLIENT,
    ],
    ["IPv6", { peer: "10.0.0.1", forwarded: 'for="[2001:db8::9]:4711"' }, "2001:db8::/56"],
  ])("%s", (_, sent, expected) => expect(clientOf(options, sent)).toBe(expected));

  /** A proxy that quotes the Host header of a client, who tries to end the quotation. */
  test.each(["a", 'a\\", for=6.6.6.6', 'a\\",b\\", for=6.6.6.6', 'a\\\\\\", for=6.6.6.6, for=\\"'])(
    "a quoted host of %j makes nobody else of the client",
    (host) => {
      const sent = { peer: "10.0.0.1", forwarded: `for=${CLIENT};host="${host}"` };
      let client: string | undefined;
      try {
        client = clientOf(options, sent);
      } catch (error) {
        expect(error).toBeInstanceOf(BadAddress);
      }
      expect([CLIENT, undefined]).toContain(client);
    },
  );
});

test("a header with a single address may be read instead", () => {
  const sent = { peer: "10.0.0.1", xff: VICTIM, headers: { "cf-connecting-ip": CLIENT } };
  expect(clientOf({ trust: 1, proxyHeader: "CF-Connecting-IP" }, sent)).toBe(CLIENT);
});

describe("where a trusted proxy names no address, nobody is counted", () => {
  test.each([
    ...["unknown", "_hidden", "garbage", "1.2.3.4.5", `${CLIENT},`, `${CLIENT}, ,`, "x".repeat(100_000)],
    ...[
      ",".repeat(100_000),
      '"'.repeat(100_000),
      `${"1,".repeat(50_000)}`,
      "\u0000",
      "999.1.1.1",
      "::ffff:1.2.3",
    ],
  ])("%.40j", (xff) => {
    expect(() => clientOf({ trust: 1 }, { peer: "10.0.0.1", xff })).toThrow(BadAddress);
    expect(() => clientOf({ trust: ["private"] }, { peer: "10.0.0.1", xff })).toThrow(BadAddress);
  });

  test.each(["for=unknown", "for=_hidden", "proto=https", `for=${CLIENT};for=${VICTIM}`, CLIENT])(
    "%s",
    (forwarded) => {
      const options = { trust: 1, proxyHeader: "forwarded" };
      expect(() => clientOf(options, { peer: "10.0.0.1", forwarded })).toThrow(BadAddress);
    },
  );

  test("more trusted proxies than anybody has", () => {
    const xff = `${CLIENT}, ${"10.0.0.2, ".repeat(32)}10.0.0.3`;
    expect(() => clientOf({ trust: ["private"] }, { peer: "10.0.0.1", xff })).toThrow(BadAddress);
  });

  test("the message shows little of what was sent", () => {
    const xff = `${"\u001b[31m".repeat(5000)}`;
    expect(() => clientOf({ trust: 1 }, { peer: "10.0.0.1", xff })).toThrow(/^[ -~…]{1,300}$/);
  });
});

describe("a socket without an address", () => {
  test.each<[Sent]>([[{}], [{ peer: "localhost" }], [{ peer: "" }], [{ xff: CLIENT }]])("%j", (sent) => {
    expect(() => clientOf({}, sent)).toThrow(NoAddress);
  });
});

test("whatever a header holds, a client is an address, or nobody", () => {
  const header = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.string({ unit: "binary", maxLength: 200 }),
    fc
      .array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ maxLength: 8 })), { maxLength: 8 })
      .map((parts) => parts.join(",")),
    fc
      .array(fc.constantFrom("for=", '"', ",", ";", "\\", "[", "]", "1.2.3.4", "::1", "by=x", " "))
      .map((p) => p.join("")),
  );
  const trust = fc.constantFrom<ClientAddressOptions["trust"]>(
    0,
    1,
    2,
    32,
    ["private"],
    ["1.2.3.4", "loopback"],
  );
  const peer = fc.constantFrom("10.0.0.1", "1.2.3.4", "::1", "2001:db8::1");
  const proxyHeader = fc.constantFrom("x-forwarded-for", "forwarded");
  fc.assert(
    fc.property(header, trust, peer, proxyHeader, (value, trust, peer, proxyHeader) => {
      const sent = { peer, headers: { [proxyHeader]: value } };
      try {
        const [address, prefix] = clientOf({ trust, proxyHeader }, sent).split("/");
        expect(isIP(address!)).toBe(prefix === undefined ? 4 : 6);
      } catch (error) {
        if (!(error instanceof BadAddress)) throw error;
      }
    }),
    { numRuns: 2000 },
  );
});

test("what a client writes before the proxy's entry never changes who it is", () => {
  const anything = fc.string({ unit: "binary", maxLength: 100 });
  const trust = fc.constantFrom<ClientAddressOptions["trust"]>(1, ["private"]);
  fc.assert(
    fc.property(anything, anything, trust, (forged, other, trust) => {
      const xff = { peer: "10.0.0.1", xff: `${forged},${CLIENT}`, forwarded: other };
      expect(clientOf({ trust }, xff)).toBe(CLIENT);
      const forwarded = { peer: "10.0.0.1", forwarded: `${forged},for=${CLIENT}`, xff: other };
      expect(clientOf({ trust, proxyHeader: "forwarded" }, forwarded)).toBe(CLIENT);
    }),
  );
});

test.each<[string, string]>([
  ["entries", `${"1.1.1.1,".repeat(12_500)}${CLIENT}`],
  ["trusted entries", "10.0.0.1,".repeat(12_500)],
  ["commas", `${",".repeat(100_000)}${CLIENT}`],
  ["one entry", "1".repeat(100_000)],
])("of 100 KB of %s only a few hops are read", (_, xff) => {
  const read = vi.spyOn(String.prototype, "charCodeAt");
  try {
    clientOf({ trust: ["private"] }, { peer: "10.0.0.1", xff });
  } catch (error) {
    if (!(error instanceof BadAddress)) throw error;
  } finally {
    expect(read.mock.calls.length).toBeLessThan(2000);
    read.mockRestore();
  }
});

describe("options that cannot be are refused where they are given", () => {
  test.each<[object]>([
    ...[true, -1, 1.5, 33, Number.NaN, "1", "loopback", null, {}].map((trust): [object] => [{ trust }]),
    ...[["nowhere"], ["0.0.0.0/0"], [1]].map((trust): [object] => [{ trust }]),
    ...[0, 129, 56.5, "56"].map((ipv6Prefix): [object] => [{ ipv6Prefix }]),
    [{ proxyHeader: 1 }],
    [{ trusted: 1 }],
  ])("%j", (options) => {
    expect(() => clientAddress(options as ClientAddressOptions)).toThrow(BadOption);
  });
});
