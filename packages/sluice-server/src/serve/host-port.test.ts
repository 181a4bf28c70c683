import { expect, test } from "vitest";
import { hostPortText, isLoopback, parseHostPort, reachable } from "./host-port.js";

test.each([
  ["127.0.0.1:6380", "127.0.0.1", 6380],
  ["localhost:0", "localhost", 0],
  ["[::1]:65535", "::1", 65_535],
  ["[::ffff:10.0.0.1]:80", "::ffff:10.0.0.1", 80],
  ["my-host.example.org:8080", "my-host.example.org", 8080],
])("%s is a place", (text, host, port) => {
  expect(parseHostPort(text)).toEqual({ host, port });
  expect(hostPortText({ host, port })).toBe(text);
});

test.each([
  "",
  "8080",
  ":8080",
  "127.0.0.1",
  "127.0.0.1:",
  "127.0.0.1:redis",
  "127.0.0.1:-1",
  "127.0.0.1:65536",
  "127.0.0.1:000080",
  "::1:6380",
  "[::1]",
  "[127.0.0.1]:80",
  "[::g]:80",
  "http://127.0.0.1:80",
  "two words:80",
])("%j is none", (text) => {
  expect(parseHostPort(text)).toBeUndefined();
});

test.each([
  "127.0.0.1",
  "127.255.255.254",
  "::1",
  "0:0:0:0:0:0:0:1",
  "::ffff:127.0.0.1",
  "localhost",
  "LocalHost",
])("%s is loopback", (host) => {
  expect(isLoopback({ host, port: 0 })).toBe(true);
});

/** A name may stand for any address, and so may a number that is written in another way. */
test.each([
  "0.0.0.0",
  "::",
  "0",
  "128.0.0.1",
  "126.255.255.255",
  "::ffff:0.0.0.0",
  "::2",
  "127.1",
  "2130706433",
  "localhost.example.org",
  "example.org",
])("%s is not", (host) => {
  expect(isLoopback({ host, port: 0 })).toBe(false);
});

test.each([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
  ["192.0.2.7", "192.0.2.7"],
])("who listens at %s is found at %s", (host, found) => {
  expect(reachable({ host, port: 0 })).toBe(found);
});
