/** Requests that travel together, and who waits for their answers. */
import type { PartVerdict } from "../part.js";
import { StoreUnavailable } from "../wrap/store-unavailable.js";
import type { Expiring } from "./deadlines.js";
import { decode, type Outcome, type Request } from "./message.js";

declare const performance: { now(): number };

export interface Caller {
  resolve(verdict: PartVerdict): void;
  reject(error: unknown): void;
}

/** What is told of each batch, once it is known. */
export interface BatchWatch {
  /** With so many requests. */
  sent(requests: number): void;
  answered(slot: number): void;
  failed(slot: number, error: StoreUnavailable): void;
  /** One of its requests could not be decided. */
  unreadable(error: StoreUnavailable): void;
  /** An answer that came after its deadline and was dropped. */
  late(slot: number): void;
}

export class Batch implements Expiring {
  readonly requests: Request[] = [];
  /** Until it is answered, has failed or has expired. */
  isOpen = true;
  /** Counts from when the first of its requests was asked. */
  readonly expiresAt: number;
  private readonly callers: Caller[] = [];

  constructor(
    private readonly slot: number,
    private readonly deadlineMs: number,
    private readonly watch: BatchWatch,
    /** Of all batches together, how many calls have no answer yet. */
    private readonly waiting: { calls: number },
  ) {
    this.expiresAt = performance.now() + deadlineMs;
  }

  add(request: Request, caller: Caller): void {
    this.requests.push(request);
    this.callers.push(caller);
  }

  answered(reply: unknown): void {
    if (!this.isOpen) {
      this.watch.late(this.slot);
      return;
    }
    const outcomes = decode(this.requests, reply);
    this.close();
    this.watch.answered(this.slot);
    for (let index = 0; index < outcomes.length; index += 1) {
      this.tell(this.callers[index]!, outcomes[index]!);
    }
  }

  failed(cause: unknown): void {
    if (!this.isOpen) return;
    const said = cause instanceof Error ? cause.message : String(cause);
    this.fail(new StoreUnavailable("refused", `Redis did not decide: ${said}`, { cause }));
  }

  expire(): void {
    this.fail(new StoreUnavailable("deadline", `Redis did not answer within ${this.deadlineMs} ms.`));
  }

  private fail(error: StoreUnavailable): void {
    this.close();
    this.watch.failed(this.slot, error);
    for (const caller of this.callers) caller.reject(error);
  }

  private close(): void {
    this.isOpen = false;
    this.waiting.calls -= this.callers.length;
  }

  private tell(caller: Caller, outcome: Outcome): void {
    if ("verdicts" in outcome) {
      caller.resolve(outcome);
    } else {
      const error = new StoreUnavailable("unreadable", `Redis could not decide this: ${outcome.failure}`);
      this.watch.unreadable(error);
      caller.reject(error);
    }
  }
}
