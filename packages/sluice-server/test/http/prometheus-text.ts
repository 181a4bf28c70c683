/** Prometheus's text format, version 0.0.4, read by the letter: whatever is not quite so is an error. */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const HELP = new RegExp(`^# HELP (${NAME}) (\\S.*)$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (NaN|[+-]Inf|[+-]?[0-9.]+(?:e[+-]?\\d+)?)$`);
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y;

/** A family is its HELP, its TYPE, and then its samples, all in one piece. */
export function parseMetrics(text: string): ReadonlyMap<string, Family> {
  const families = new Map<string, Family & { samples: Sample[] }>();
  let current: (Family & { samples: Sample[] }) | undefined;
  if (!text.endsWith("\n")) throw new Error("The last line has no end.");
  const lines = text.split("\n");
  for (let at = 0; at < lines.length - 1; at += 1) {
    const line = lines[at]!;
    if (line === "") continue;
    const [, name, help] = HELP.exec(line) ?? [];
    if (name !== undefined) {
      const [, typed, type = ""] = TYPE.exec(lines[++at] ?? "") ?? [];
      if (typed !== name) throw new Error(`No TYPE follows: ${line}`);
      if (families.has(name)) throw new Error(`A second time: ${line}`);
      current = { name, type, help: help!, samples: [] };
      families.set(name, current);
      continue;
    }
    const sample = sampleIn(line);
    if (current === undefined || !namesOf(current).includes(sample.name))
      throw new Error(`A sample that belongs to nothing: ${line}`);
    current.samples.push(sample);
  }
  return families;
}

function sampleIn(line: string): Sample {
  const [, name, labels = "", value = ""] = SAMPLE.exec(line) ?? [];
  if (name === undefined) throw new Error(`Not a sample: ${line}`);
  return { name, labels: labelsIn(labels), value: Number(value.replace("Inf", "Infinity")) };
}

function labelsIn(text: string): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  let end = 0;
  while (end < text.length) {
    const [whole, name, value] = LABEL.exec(text) ?? [];
    if (whole === undefined || name! in labels) throw new Error(`Not labels: ${text}`);
    labels[name!] = value!;
    end += whole.length;
  }
  return labels;
}

function namesOf({ name, type }: Family): readonly string[] {
  return type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}
