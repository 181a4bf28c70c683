/** Stops asking a store that does not answer, and notices its return. */

const FAILURES_TO_OPEN = 3;
/** Short enough that a store is asked again well within two seconds of its return. */
const REST_MS = 500;

export type BreakerState = "closed" | "open" | "probing";

/** Begins closed; who was answered puts it away. Instants are milliseconds on a clock that does not step back. */
export class Breaker {
  private failures = 0;
  private restsUntil = 0;
  private probing = false;

  /** After a rest, lets one call through, and the others only when that one has been answered. */
  allows(now: number): boolean {
    if (this.failures < FAILURES_TO_OPEN) return true;
    if (this.probing || now < this.restsUntil) return false;
    this.probing = true;
    return true;
  }

  failed(now: number): void {
    this.failures += 1;
    this.probing = false;
    this.restsUntil = now + REST_MS;
  }

  get state(): BreakerState {
    if (this.failures < FAILURES_TO_OPEN) return "closed";
    return this.probing ? "probing" : "open";
  }

  /** How long nobody will be asked. */
  restsFor(now: number): number {
    return this.failures < FAILURES_TO_OPEN ? 0 : Math.max(0, this.restsUntil - now);
  }
}
