/** What RATELIMIT answers, as tables of commands and replies. */

export const SECOND = 1_000_000_000;
/** A second and a nanosecond of the year 2023, whose digits are more than a number holds. */
const T = 1_700_000_000_123_456_789n;

export function at(seconds: number): string {
  return String(T + BigInt(Math.round(seconds * SECOND)));
}

/** A new key in each test: `k` stands for one, `k2` for another. */
export type Command = readonly (string | number)[];

export interface Vector {
  readonly name: string;
  readonly steps: readonly (readonly [Command, readonly number[]])[];
}

export const VECTORS: readonly Vector[] = [
  {
    name: "two keys, both new",
    steps: [
      [
        ["a", 10 * SECOND, 50 * SECOND, "b", 20 * SECOND, 100 * SECOND, at(0)],
        [1, 4, 0, 20 * SECOND],
      ],
    ],
  },
  {
    name: "one of two exhausted: refused, and the other keeps all it has",
    steps: [
      [
        ["b", 10 * SECOND, 10 * SECOND, at(0)],
        [1, 0, 10 * SECOND, 10 * SECOND],
      ],
      [
        ["a", 10 * SECOND, 50 * SECOND, "b", 10 * SECOND, 10 * SECOND, at(0)],
        [0, 0, 10 * SECOND, 10 * SECOND],
      ],
      [
        ["a", 10 * SECOND, 50 * SECOND, at(0)],
        [1, 4, 0, 10 * SECOND],
      ],
    ],
  },
  {
    name: "the last one allowed has to be waited for",
    steps: [
      [
        ["a", SECOND, 2 * SECOND, at(0)],
        [1, 1, 0, SECOND],
      ],
      [
        ["a", SECOND, 2 * SECOND, at(0)],
        [1, 0, SECOND, 2 * SECOND],
      ],
      [
        ["a", SECOND, 2 * SECOND, at(0)],
        [0, 0, SECOND, 2 * SECOND],
      ],
      [
        ["a", SECOND, 2 * SECOND, at(0.4)],
        [0, 0, 0.6 * SECOND, 1.6 * SECOND],
      ],
      [
        ["a", SECOND, 2 * SECOND, at(1)],
        [1, 0, SECOND, 2 * SECOND],
      ],
      [
        ["a", SECOND, 2 * SECOND, at(3.5)],
        [1, 1, 0, SECOND],
      ],
    ],
  },
  {
    name: "a key asked with other numbers keeps its state",
    steps: [
      [
        ["a", 10 * SECOND, 60 * SECOND, at(0)],
        [1, 5, 0, 10 * SECOND],
      ],
      [
        ["a", SECOND, 20 * SECOND, at(0)],
        [1, 9, 0, 11 * SECOND],
      ],
      [
        ["a", SECOND, 5 * SECOND, at(0)],
        [0, 0, SECOND, 5 * SECOND],
      ],
      [
        ["a", SECOND, 5 * SECOND, at(7)],
        [1, 0, SECOND, 5 * SECOND],
      ],
      [
        ["a", 30 * SECOND, 60 * SECOND, at(7)],
        [1, 0, 5 * SECOND, 35 * SECOND],
      ],
    ],
  },
  {
    name: "durations are exact to the nanosecond, instants to the microsecond",
    steps: [
      [
        ["a", 333, 1000, String(T)],
        [1, 2, 0, 333],
      ],
      [
        ["a", 333, 1000, String(T + 210n)],
        [1, 1, 0, 666],
      ],
      [
        ["a", 333, 1000, String(T + 211n)],
        [1, 2, 0, 333],
      ],
      [
        ["b", 1, 1, "0"],
        [1, 0, 1, 1],
      ],
      [
        ["c", 3, 2 ** 53 - 1, "0"],
        [1, 3_002_399_751_580_329, 0, 3],
      ],
    ],
  },
  {
    name: "capacities beyond 2^53 are exact to the microsecond",
    steps: [
      [
        ["a", SECOND, "4000000000000000000", at(0)],
        [1, 3_999_999_999, 0, SECOND],
      ],
      [
        ["b", "9223372036854775807", "9223372036854775807", at(0)],
        [1, 0, 2 ** 63 - 1024, 2 ** 63 - 1024],
      ],
    ],
  },
  {
    name: "any key",
    steps: [
      [
        ["", SECOND, SECOND, at(0)],
        [1, 0, SECOND, SECOND],
      ],
      [
        ["{x}:y z*", SECOND, SECOND, "Zürich", SECOND, SECOND, at(0)],
        [1, 0, SECOND, SECOND],
      ],
      [
        ["{x}:y z*", SECOND, SECOND, at(0)],
        [0, 0, SECOND, SECOND],
      ],
      [
        ["Zürich", SECOND, SECOND, at(0)],
        [0, 0, SECOND, SECOND],
      ],
    ],
  },
];

const INTEGER = /^ERR the \w+ is not an integer or out of range$/;
const ARITY = /^ERR wrong number of arguments for 'ratelimit' command$/;

export const ERRORS: readonly (readonly [Command, RegExp])[] = [
  [[], ARITY],
  [["k"], ARITY],
  [["k", 1], ARITY],
  [["k", 1, 1, "k2", 1], ARITY],
  [["k", 1, 1, "k2", 1, 1, 5, 5], ARITY],
  [["k", "x", 10], INTEGER],
  [["k", 1, "x"], INTEGER],
  [["k", 1, ""], INTEGER],
  [["k", "1.5", 10], INTEGER],
  [["k", "1e3", 10_000], INTEGER],
  [["k", 1, "9223372036854775808"], INTEGER],
  [["k", 1, 10, "now"], INTEGER],
  [["k", 1, 10, "k2", 1, "x"], INTEGER],
  [["k", 0, 10], /^ERR the period must be above 0$/],
  [["k", -1, 10], /^ERR the period must be above 0$/],
  [["k", 1, -1], /^ERR the capacity must not be negative$/],
  [["k", 1, 0], /^ERR the capacity must not be below the period$/],
  [["k", 11, 10], /^ERR the capacity must not be below the period$/],
  [["k", 1, 10, "k2", 1, 10, "k", 2, 20], /^ERR the key 'k' is given twice$/],
  [["k", 1, 10, -1], /^ERR the timestamp is before 1970 or after 2255$/],
  [["k", 1, 10, "9223372036854775807"], /^ERR the timestamp is before 1970 or after 2255$/],
];
