import { describe, expect, test } from "vitest";
import type { HttpRequest } from "../request.js";
import { type ClientAddressOptions, clientAddress } from "./client-address.js";

type Sent = readonly [peer: string, headers?: { readonly [name: string]: string }];

function warningsOn(options: ClientAddressOptions, requests: readonly Sent[]): readonly string[] {
  const warnings: string[] = [];
  const read = clientAddress({ ...options, onWarning: (message) => warnings.push(message) });
  for (const [address, headers = {}] of requests) {
    const request: HttpRequest = { method: "GET", path: "/", address, header: (name) => headers[name] };
    read(undefined, request);
  }
  return warnings.map(
    (message) => /proxy sent|all came from|Requests come with/.exec(message)?.[0] ?? message,
  );
}

const times = (count: number, sent: (index: number) => Sent) =>
  Array.from({ length: count }, (_, index) => sent(index));
const xff = (value: unknown) => ({ "x-forwarded-for": `198.51.100.${value}` });

const fromProxy = (count: number) => times(count, (index): Sent => ["10.0.0.1", xff(index)]);

const PROXY = "Requests come with";
const SHARED = "all came from";
const OTHER = "proxy sent";

describe("nobody spoke of a proxy, and", () => {
  test.each<[string, readonly Sent[], readonly string[]]>([
    ["one request comes from one's own network", [["10.0.0.1", xff(1)]], [PROXY]],
    ["with the other header", [["::1", { forwarded: "for=198.51.100.1" }]], [PROXY]],
    ["it is said once", times(50, (index) => ["10.0.0.1", xff(index)]), [PROXY]],
    ["all clients are one", times(100, (index) => ["10.0.0.1", xff(index)]), [PROXY, SHARED]],
    ["behind a proxy elsewhere too", times(500, (index) => ["203.0.113.1", xff(index)]), [SHARED]],
    ["or behind several", times(100, (index) => [`203.0.113.${index}`, xff(index)]), [PROXY]],
    ["there is no header", times(200, () => ["10.0.0.1"]), []],
    ["a client out there sends one", [["203.0.113.1", xff(1)]], []],
    ["or many", [["203.0.113.2"], ...times(500, (index): Sent => ["203.0.113.1", xff(index)])], []],
    ["late, after others did not", [...times(300, (): Sent => ["203.0.113.2"]), ["203.0.113.1", xff(1)]], []],
    ["the proxy comes late", [...times(300, (): Sent => ["10.0.0.1"]), ...fromProxy(100)], [PROXY]],
  ])("%s", (_, requests, expected) => expect(warningsOn({}, requests)).toEqual(expected));
});

describe("somebody did, and", () => {
  test.each<[string, ClientAddressOptions, Sent, readonly string[]]>([
    ["there is none", { trust: 0 }, ["10.0.0.1", xff(1)], []],
    ["the header is there", { trust: 1 }, ["10.0.0.1", xff(1)], []],
    ["a health check has none", { trust: 1 }, ["10.0.0.1"], []],
    ["another is there", { trust: 1 }, ["10.0.0.1", { forwarded: "for=198.51.100.1" }], [OTHER]],
    [
      "the same the other way",
      { trust: ["private"], proxyHeader: "Forwarded" },
      ["10.0.0.1", xff(1)],
      [OTHER],
    ],
    [
      "a client out there sends it",
      { trust: ["private"] },
      ["203.0.113.1", { forwarded: "for=198.51.100.1" }],
      [],
    ],
  ])("%s", (_, options, sent, expected) => expect(warningsOn(options, [sent, sent])).toEqual(expected));
});

test("what is said names the header and what to do", () => {
  const messages: string[] = [];
  const read = clientAddress({ onWarning: (message) => messages.push(message) });
  read(undefined, {
    method: "GET",
    path: "/",
    address: "127.0.0.1",
    header: (name) => xff(1)[name as never],
  });
  expect(messages).toEqual([
    'Requests come with the header "x-forwarded-for", and trust is not set: clients are counted by the address of the ' +
      "socket, which is that of the proxy. Say how many proxies of yours are in front, trust: 1, or where they are, " +
      'trust: ["10.0.0.0/8"]; trust: 0 says that there are none.',
  ]);
});
