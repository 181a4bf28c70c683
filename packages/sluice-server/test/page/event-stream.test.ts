/** Server-sent events, however they are cut into pieces. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { eventReader, type ServerEvent } from "../../page/live/event-stream.js";

function read(...pieces: readonly string[]): readonly ServerEvent[] {
  const events: ServerEvent[] = [];
  const take = eventReader((event) => events.push(event));
  for (const piece of pieces) take(piece);
  return events;
}

test.each<[string, string, readonly ServerEvent[]]>([
  ["a name, data and an id", "id: 7\nevent: second\ndata: {}\n\n", [{ name: "second", data: "{}", id: "7" }]],
  ["no name", "data: x\n\n", [{ name: "message", data: "x", id: undefined }]],
  ["data of several lines", "data: a\ndata: b\n\n", [{ name: "message", data: "a\nb", id: undefined }]],
  ["one space is no data", "data:  a\ndata:b\n\n", [{ name: "message", data: " a\nb", id: undefined }]],
  ["no data", "event: hello\n\n", []],
  [
    "comments and unknown fields",
    ": ping\nretry: 5\nwhat\n\ndata: x\n\n",
    [{ name: "message", data: "x", id: undefined }],
  ],
  [
    "other line ends",
    "data: a\r\rdata: b\r\n\r\n",
    [
      { name: "message", data: "a", id: undefined },
      { name: "message", data: "b", id: undefined },
    ],
  ],
  ["a byte order mark", "\ufeffdata: x\n\n", [{ name: "message", data: "x", id: undefined }]],
  [
    "an id stays",
    "id: 1\ndata: a\n\ndata: b\n\n",
    [
      { name: "message", data: "a", id: "1" },
      { name: "message", data: "b", id: "1" },
    ],
  ],
  ["an id with a zero byte is none", "id: 1\0\ndata: a\n\n", [{ name: "message", data: "a", id: undefined }]],
  [
    "what has not ended has not come",
    "data: a\n\ndata: b\n",
    [{ name: "message", data: "a", id: undefined }],
  ],
])("%s", (_, text, expected) => {
  expect(read(text)).toEqual(expected);
});

test("the pieces do not matter", () => {
  const line = fc.constantFrom("data: a", "data:", "event: x", "id: 3", ": no", "", "");
  const end = fc.constantFrom("\n", "\r\n", "\r");
  const text = fc
    .array(fc.tuple(line, end).map(([words, ending]) => words + ending))
    .map((lines) => `${lines.join("")}\n\n`);
  fc.assert(
    fc.property(text, fc.array(fc.nat({ max: 60 })), (all, cuts) => {
      const places = [0, ...cuts.filter((cut) => cut < all.length).sort((a, b) => a - b), all.length];
      const pieces = places.slice(1).map((place, index) => all.slice(places[index], place));
      expect(read(...pieces)).toEqual(read(all));
    }),
  );
});
