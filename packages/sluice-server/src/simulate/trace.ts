/** Traffic that was recorded: a text of one request a line, with its instant and, if it likes, a cost and a key. */
import { type Arrival, ONLY_KEY, type Traffic, TrafficError } from "./traffic.js";

/** What the columns hold; a first line with other words than numbers names them. */
interface Columns {
  readonly time: number;
  readonly unit: number;
  readonly cost: number | undefined;
  readonly key: number | undefined;
}

const SECONDS = 1_000_000;
const MILLISECONDS = 1_000;

const WITHOUT_HEADER: Columns = { time: 0, unit: SECONDS, cost: 1, key: 2 };

/** Names of the column of instants, with the microseconds of their unit. */
const TIME_NAMES: Readonly<Record<string, number>> = {
  time: SECONDS,
  seconds: SECONDS,
  s: SECONDS,
  ms: MILLISECONDS,
  milliseconds: MILLISECONDS,
};

/** Instants from here on are dates, in seconds since the epoch, and no offsets: 2001 and later. */
const EARLIEST_DATE = 1_000_000_000 * SECONDS;
const MOST_LINES = 5_000_000;
const LONGEST_SHOWN = 40;

/** `name` is what the trace is called in messages and charts. */
export function parseTrace(text: string, name: string): Traffic {
  const lines = text.split(/\r?\n/);
  if (lines.length > MOST_LINES) throw new TrafficError(`${name} has more than ${MOST_LINES} lines.`);
  let columns: Columns | undefined;
  const arrivals: Arrival[] = [];
  lines.forEach((line, index) => {
    if (line.trim() === "" || line.startsWith("#")) return;
    const fields = fieldsOf(line);
    if (columns === undefined) {
      columns = headerIn(fields);
      if (columns !== undefined) return;
      columns = WITHOUT_HEADER;
    }
    arrivals.push(arrivalIn(fields, columns, `${name}:${index + 1}`));
  });
  if (arrivals.length === 0)
    throw new TrafficError(`${name} has no requests: a line is an instant in seconds.`);
  return traced(name, arrivals);
}

function traced(text: string, recorded: Arrival[]): Traffic {
  const sorted = recorded.sort((one, other) => one.at - other.at);
  const first = sorted[0]!.at;
  const startUs = first >= EARLIEST_DATE ? first : 0;
  const lengthUs = sorted[sorted.length - 1]!.at - startUs + 1;
  return {
    text,
    startUs,
    lengthUs,
    expected: (length) => sorted.filter(({ at }) => at - startUs < length).length,
    *arrivals(length) {
      for (const arrival of sorted) {
        const at = arrival.at - startUs;
        if (at >= length) return;
        yield { ...arrival, at };
      }
    },
  };
}

/** Undefined where the first line holds a request already. */
function headerIn(fields: readonly string[]): Columns | undefined {
  const names = fields.map((field) => field.toLowerCase());
  const time = names.findIndex((name) => Object.hasOwn(TIME_NAMES, name));
  if (time < 0) return undefined;
  const place = (name: string) => (names.includes(name) ? names.indexOf(name) : undefined);
  return { time, unit: TIME_NAMES[names[time]!]!, cost: place("cost"), key: place("key") };
}

function arrivalIn(fields: readonly string[], columns: Columns, where: string): Arrival {
  const field = (place: number | undefined) => (place === undefined ? "" : (fields[place] ?? ""));
  const [, number, unit] = /^(\d+(?:\.\d+)?) ?(ms|s)?$/.exec(field(columns.time)) ?? [];
  if (number === undefined) {
    throw new TrafficError(
      `${where}: an instant is a number of seconds, such as 12.5, or of milliseconds under a heading "ms", ` +
        `and this is ${shown(field(columns.time))}.`,
    );
  }
  const size = unit === undefined ? columns.unit : TIME_NAMES[unit]!;
  const cost = field(columns.cost) || "1";
  if (!/^[1-9]\d{0,14}$/.test(cost)) {
    throw new TrafficError(`${where}: a cost is a whole number of at least 1, and this is ${shown(cost)}.`);
  }
  return { at: Math.round(Number(number) * size), cost: Number(cost), key: field(columns.key) || ONLY_KEY };
}

/** Comma-separated, each plain or in double quotes, in which a doubled quote stands for one. */
function fieldsOf(line: string): readonly string[] {
  const fields: string[] = [];
  for (const [, quoted, plain = ""] of line.matchAll(/(?:^|,)\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))/g)) {
    fields.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
  }
  return fields;
}

function shown(text: string): string {
  return JSON.stringify(text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text);
}
