/** Sends what is asked for in one turn of the event loop together. */
import type { PartVerdict } from "../part.js";
import { StoreUnavailable } from "../wrap/store-unavailable.js";
import { Deadlines } from "./deadlines.js";
import type { Outcome, Request } from "./message.js";

declare function setImmediate(callback: () => void): unknown;
declare function queueMicrotask(callback: () => void): void;

/** Large enough that the cost of a call is shared by many, small enough that Redis is not held up. */
const MOST_REQUESTS = 128;

/** Requests that may travel together: to one slot, where there are slots, and with one deadline. */
export interface Lane {
  readonly slot: number;
  readonly deadlineMs: number;
}

interface Batch extends Lane {
  readonly requests: Request[];
  readonly callers: Caller[];
}

interface Caller {
  resolve(verdict: PartVerdict): void;
  reject(error: unknown): void;
}

/** Answers each request, in order. What takes more than one message stops once it is no longer wanted. */
export type RunBatch = (requests: readonly Request[], isWanted: () => boolean) => Promise<readonly Outcome[]>;

/** What a batcher tells of each batch, once it knows. */
export interface BatchWatch {
  answered(slot: number): void;
  failed(slot: number, error: StoreUnavailable): void;
  /** One of its requests could not be decided. */
  unreadable(error: StoreUnavailable): void;
  /** An answer that came after its deadline and was dropped. */
  late(slot: number): void;
}

export class Batcher {
  private readonly gathering = new Map<number, Batch>();
  private readonly deadlines = new Deadlines();
  /** How many calls have no answer yet. */
  waiting = 0;

  constructor(
    private readonly run: RunBatch,
    private readonly watch: BatchWatch,
  ) {}

  ask(request: Request, lane: Lane): Promise<PartVerdict> {
    this.waiting += 1;
    return new Promise((resolve, reject) => {
      if (this.gathering.size === 0) this.sendSoon();
      const batch = this.batchFor(lane);
      batch.requests.push(request);
      batch.callers.push({ resolve, reject });
    });
  }

  private batchFor({ slot, deadlineMs }: Lane): Batch {
    const id = slot + deadlineMs * SLOTS;
    let batch = this.gathering.get(id);
    if (batch !== undefined && batch.requests.length === MOST_REQUESTS) {
      this.send(batch);
      batch = undefined;
    }
    if (batch === undefined) {
      batch = { slot, deadlineMs, requests: [], callers: [] };
      this.gathering.set(id, batch);
    }
    return batch;
  }

  /** A lone call goes at once; where others are on their way, more will follow in this turn. */
  private sendSoon(): void {
    const later = this.waiting === 1 ? queueMicrotask : setImmediate;
    later(() => this.sendAll());
  }

  private sendAll(): void {
    const batches = [...this.gathering.values()];
    this.gathering.clear();
    for (const batch of batches) this.send(batch);
  }

  private send({ slot, requests, callers, deadlineMs }: Batch): void {
    let open = true;
    const close = () => {
      open = false;
      this.deadlines.end(deadline);
      this.waiting -= callers.length;
    };
    const fail = (error: StoreUnavailable) => {
      close();
      this.watch.failed(slot, error);
      for (const caller of callers) caller.reject(error);
    };
    const deadline = this.deadlines.begin(deadlineMs, () => {
      fail(new StoreUnavailable("deadline", `Redis did not answer within ${deadlineMs} ms.`));
    });
    this.run(requests, () => open).then(
      (outcomes) => {
        if (!open) {
          this.watch.late(slot);
          return;
        }
        close();
        this.watch.answered(slot);
        for (let index = 0; index < callers.length; index += 1) {
          this.tell(callers[index]!, outcomes[index]!);
        }
      },
      (cause: unknown) => {
        if (open) fail(refused(cause));
      },
    );
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

const SLOTS = 16_384;

function refused(cause: unknown): StoreUnavailable {
  const said = cause instanceof Error ? cause.message : String(cause);
  return new StoreUnavailable("refused", `Redis did not decide: ${said}`, { cause });
}
