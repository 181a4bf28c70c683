/** Who is asking most, and who is refused most, of the last minutes: in bounded memory, by a sketch. */
import type { Facts } from "sluice";
import { FrequentNames } from "./frequent-names.js";
import { factsIn, nameOf, type Values, valuesIn } from "./identity-name.js";

/** 128 each of the busiest and the most refused, now and in the window before. */
const CAPACITY = 128;
const SHOWN = 20;

export interface KnownIdentity {
  /** One for each selector. Cut where it is too long. */
  readonly values: Values;
  /** What to ask a limiter with; undefined where it was too long to be kept. */
  readonly facts: Facts | undefined;
  readonly count: number;
  readonly name: string;
}

interface Window {
  readonly busiest: FrequentNames;
  readonly mostRefused: FrequentNames;
}

/**
 * Of one limit, as long as it counts by these. Two windows, so that what is shown never begins from nothing. Keeps
 * nothing but names, which are bounded.
 */
export class Identities {
  private now = emptyWindow();
  private before = emptyWindow();

  constructor(readonly selectors: readonly string[]) {}

  saw(facts: Facts, isRefused: boolean): void {
    const name = nameOf(this.selectors.map((selector) => textOf(facts[selector])));
    this.now.busiest.add(name);
    if (isRefused) this.now.mostRefused.add(name);
  }

  /** The window that ends is remembered until the next one does. */
  turn(): void {
    this.before = this.now;
    this.now = emptyWindow();
  }

  busiest(): readonly KnownIdentity[] {
    return this.mostFrequent(this.now.busiest, this.before.busiest);
  }

  mostRefused(): readonly KnownIdentity[] {
    return this.mostFrequent(this.now.mostRefused, this.before.mostRefused);
  }

  get errorAtMost(): number {
    return this.now.busiest.errorAtMost + this.before.busiest.errorAtMost;
  }

  private mostFrequent(now: FrequentNames, before: FrequentNames): readonly KnownIdentity[] {
    const counts = new Map(now.entries().map(({ name, count }) => [name, count]));
    for (const { name, count } of before.entries()) counts.set(name, count + (counts.get(name) ?? 0));
    return [...counts]
      .sort(([, one], [, other]) => other - one)
      .slice(0, SHOWN)
      .map(([name, count]) => {
        return { name, count, values: valuesIn(name), facts: factsIn(name, this.selectors) };
      });
  }
}

function emptyWindow(): Window {
  return { busiest: new FrequentNames(CAPACITY), mostRefused: new FrequentNames(CAPACITY) };
}

function textOf(fact: unknown): string | undefined {
  return fact === null || fact === undefined ? undefined : String(fact);
}
