/** First come, first served: those who wait for the same limits stand in one line. */

declare function setTimeout(callback: () => void, ms: number): unknown;
declare function clearTimeout(timer: unknown): void;
declare const performance: { now(): number };

/** As much of an AbortSignal as is needed. */
export interface Abortable {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** A timer beyond this fires at once; who sleeps longer wakes in between, looks, and sleeps on. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Resolves after `ms`, or earlier when `early` does; rejects with the signal's reason when that comes first. */
export function sleep(ms: number, signal?: Abortable, early?: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const timer = setTimeout(finish, Math.min(ms, LONGEST_TIMER));
    function finish() {
      clearTimeout(timer);
      if (signal !== undefined) unlisten(signal, finish);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    }
    if (signal !== undefined) listen(signal, finish);
    early?.then(finish);
  });
}

/** One listener for each signal, however many wait with it: many listeners are slow to remove, and warned of. */
const listening = new WeakMap<
  Abortable,
  { readonly callbacks: Set<() => void>; readonly abort: () => void }
>();

function listen(signal: Abortable, callback: () => void): void {
  let known = listening.get(signal);
  if (known === undefined) {
    const callbacks = new Set<() => void>();
    const abort = () => {
      for (const each of callbacks) each();
    };
    known = { callbacks, abort };
    listening.set(signal, known);
    signal.addEventListener("abort", abort);
  }
  known.callbacks.add(callback);
}

function unlisten(signal: Abortable, callback: () => void): void {
  const known = listening.get(signal);
  known?.callbacks.delete(callback);
  if (known?.callbacks.size !== 0) return;
  signal.removeEventListener("abort", known.abort);
  listening.delete(signal);
}

/** A place in a line; `called` once it is the first. */
class Place {
  called = false;
  call: () => void = () => {};
  readonly turn = new Promise<void>((resolve) => {
    this.call = () => {
      this.called = true;
      resolve();
    };
  });
}

export class WaitingLines {
  private readonly lines = new Map<string, Set<Place>>();

  /** Runs `serve` when all who came before have left; undefined when that took longer than `maxWaitMs`. */
  async serveInTurn<T>(
    name: string,
    maxWaitMs: number,
    signal: Abortable | undefined,
    serve: () => Promise<T>,
  ): Promise<T | undefined> {
    if (signal?.aborted) throw signal.reason;
    const place = new Place();
    const line = this.join(name, place);
    try {
      const deadline = performance.now() + maxWaitMs;
      while (!place.called && performance.now() < deadline) {
        await sleep(deadline - performance.now(), signal, place.turn);
      }
      return place.called ? await serve() : undefined;
    } finally {
      this.leave(name, line, place);
    }
  }

  private join(name: string, place: Place): Set<Place> {
    const line = this.lines.get(name) ?? new Set();
    this.lines.set(name, line.add(place));
    if (line.size === 1) place.call();
    return line;
  }

  private leave(name: string, line: Set<Place>, place: Place): void {
    line.delete(place);
    const [first] = line;
    if (first === undefined) this.lines.delete(name);
    else first.call();
  }
}
