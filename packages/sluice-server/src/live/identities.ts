/** Who is asking most, and who is refused most, of the last minutes: in bounded memory, by a sketch. */
import type { Facts } from "sluice";
import { type Counted, FrequentNames } from "./frequent-names.js";

/** 128 each of the busiest and the most refused, now and in the window before. */
const CAPACITY = 128;
/** Longer ones are counted, and cannot be asked about: an attacker could fill the memory with them. */
const LONGEST_KEPT = 1_000;
const SHOWN = 20;

/** One selector value after the other, as text; undefined where a fact says that the limit does not apply. */
type Values = readonly (string | undefined)[];

export interface KnownIdentity {
  /** One for each selector. Cut where it is too long. */
  readonly values: Values;
  /** What to ask a limiter with; undefined where it was too long to be kept. */
  readonly facts: Facts | undefined;
  readonly count: number;
  readonly name: string;
}

interface Window {
  readonly busiest: FrequentNames<Known>;
  readonly mostRefused: FrequentNames<Known>;
}

interface Known {
  readonly values: Values;
  readonly facts: Facts | undefined;
}

/** Of one limit, as long as it counts by these. Two windows, so that what is shown never begins from nothing. */
export class Identities {
  private now = emptyWindow();
  private before = emptyWindow();

  constructor(readonly selectors: readonly string[]) {}

  saw(facts: Facts, isRefused: boolean): void {
    const values = this.selectors.map((selector) => textOf(facts[selector]));
    const name = JSON.stringify(values);
    const make = () => knownOf(this.selectors, values, name.length);
    this.now.busiest.add(name, make);
    if (isRefused) this.now.mostRefused.add(name, make);
  }

  /** The window that ends is remembered until the next one does. */
  turn(): void {
    this.before = this.now;
    this.now = emptyWindow();
  }

  busiest(): readonly KnownIdentity[] {
    return mostFrequent(this.now.busiest, this.before.busiest);
  }

  mostRefused(): readonly KnownIdentity[] {
    return mostFrequent(this.now.mostRefused, this.before.mostRefused);
  }

  get errorAtMost(): number {
    return this.now.busiest.errorAtMost + this.before.busiest.errorAtMost;
  }
}

function emptyWindow(): Window {
  return { busiest: new FrequentNames(CAPACITY), mostRefused: new FrequentNames(CAPACITY) };
}

function textOf(fact: unknown): string | undefined {
  return fact === null || fact === undefined ? undefined : String(fact);
}

function knownOf(selectors: readonly string[], values: Values, length: number): Known {
  if (length > LONGEST_KEPT) {
    return { values: values.map((value) => value?.slice(0, LONGEST_KEPT / values.length)), facts: undefined };
  }
  return {
    values,
    facts: Object.fromEntries(selectors.map((selector, place) => [selector, values[place] ?? null])),
  };
}

function mostFrequent(now: FrequentNames<Known>, before: FrequentNames<Known>): readonly KnownIdentity[] {
  const counted = new Map<string, Counted<Known>>(now.entries().map((entry) => [entry.name, entry]));
  for (const entry of before.entries()) {
    const count = entry.count + (counted.get(entry.name)?.count ?? 0);
    counted.set(entry.name, { name: entry.name, value: entry.value, count });
  }
  return [...counted.values()]
    .sort((one, other) => other.count - one.count)
    .slice(0, SHOWN)
    .map(({ name, count, value }) => ({ ...value, name, count }));
}
