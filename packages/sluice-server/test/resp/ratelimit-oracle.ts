/** RATELIMIT in big integers, written from the protocol's definition. */

export interface KeyAsked {
  readonly key: string;
  readonly period: bigint;
  readonly capacity: bigint;
}

/** Both in nanoseconds: when the bucket is full again, and when it was last charged. */
interface Stored {
  fullAt: bigint;
  instant: bigint;
}

const LARGEST_STEP_WAITED_OUT = 1_000_000_000n;

export class RateLimitOracle {
  private readonly stored = new Map<string, Stored>();

  /** The four integers of the reply. */
  ask(asked: readonly KeyAsked[], timestamp: bigint): readonly bigint[] {
    const now = timestamp - (timestamp % 1_000n);
    const available = () => asked.map((one) => this.available(one, now));
    const allowed = available().every((left, index) => left >= asked[index]!.period);
    if (allowed) for (const one of asked) this.charge(one, now);
    const left = available();
    return [
      allowed ? 1n : 0n,
      allowed ? least(left.map((ns, index) => ns / asked[index]!.period)) : 0n,
      largest(left.map((ns, index) => asked[index]!.period - ns)),
      largest(left.map((ns, index) => asked[index]!.capacity - ns)),
    ];
  }

  private available({ key, capacity }: KeyAsked, now: bigint): bigint {
    const stored = this.stored.get(key);
    if (stored === undefined) return capacity;
    this.healAfterStepBack(stored, now);
    const left = later(now, stored.instant) + capacity - stored.fullAt;
    return left < 0n ? 0n : left > capacity ? capacity : left;
  }

  private charge({ key, period }: KeyAsked, now: bigint): void {
    const stored = this.stored.get(key) ?? { fullAt: 0n, instant: 0n };
    const instant = later(now, stored.instant);
    this.stored.set(key, { fullAt: later(stored.fullAt, instant) + period, instant });
  }

  /** A clock that steps back by more than a second takes the state along; a smaller step is waited out. */
  private healAfterStepBack(stored: Stored, now: bigint): void {
    const step = stored.instant - now;
    if (step <= LARGEST_STEP_WAITED_OUT) return;
    stored.fullAt -= step;
    stored.instant = now;
  }
}

function later(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function least(values: readonly bigint[]): bigint {
  return values.reduce((best, value) => (value < best ? value : best));
}

function largest(values: readonly bigint[]): bigint {
  return values.reduce(later, 0n);
}
