/** Sends what is asked for in one turn of the event loop together. */
import type { PartVerdict } from "../part.js";
import { Batch, type BatchWatch } from "./batch.js";
import type { ScriptCommand } from "./client.js";
import { Deadlines } from "./deadlines.js";
import type { Request } from "./message.js";
import { isUnknownScript } from "./run-script.js";

declare function setImmediate(callback: () => void): unknown;

/** Large enough that the cost of a call is shared by many, small enough that Redis is not held up. */
const MOST_REQUESTS = 128;
const SLOTS = 16_384;
/** What follows it comes after all that is being done now. */
const SOON = Promise.resolve();

/** Requests that may travel together: to one slot, where there are slots, and with one deadline. */
interface Lane {
  readonly slot: number;
  readonly deadlineMs: number;
  gathering: Batch | undefined;
}

/** Gives the script's reply. */
export type RunBatch = (command: ScriptCommand, requests: readonly Request[]) => Promise<unknown>;

export class Batcher {
  private readonly lanes = new Map<number, Lane>();
  /** The lanes in which something is gathering. */
  private gathering: Lane[] = [];
  private readonly deadlines = new Deadlines();
  private readonly noAnswerYet = { calls: 0 };

  constructor(
    private readonly run: RunBatch,
    private readonly watch: BatchWatch,
  ) {}

  /** How many calls have no answer yet. */
  get waiting(): number {
    return this.noAnswerYet.calls;
  }

  ask(request: Request, slot: number, deadlineMs: number): Promise<PartVerdict> {
    this.noAnswerYet.calls += 1;
    return new Promise((resolve, reject) => {
      this.batchFor(this.laneOf(slot, deadlineMs)).add(request, { resolve, reject });
    });
  }

  private laneOf(slot: number, deadlineMs: number): Lane {
    const id = slot + deadlineMs * SLOTS;
    let lane = this.lanes.get(id);
    if (lane === undefined) {
      lane = { slot, deadlineMs, gathering: undefined };
      this.lanes.set(id, lane);
    }
    return lane;
  }

  private batchFor(lane: Lane): Batch {
    if (lane.gathering?.requests.length === MOST_REQUESTS) this.send(lane);
    if (lane.gathering === undefined) {
      lane.gathering = new Batch(lane.slot, lane.deadlineMs, this.watch, this.noAnswerYet);
      if (this.gathering.length === 0) this.sendSoon();
      this.gathering.push(lane);
    }
    return lane.gathering;
  }

  /** A lone call goes at once; where others are on their way, more will follow in this turn. */
  private sendSoon(): void {
    if (this.waiting === 1) void SOON.then(this.sendAll);
    else setImmediate(this.sendAll);
  }

  private readonly sendAll = (): void => {
    const lanes = this.gathering;
    this.gathering = [];
    for (const lane of lanes) this.send(lane);
  };

  private send(lane: Lane): void {
    const batch = lane.gathering;
    if (batch === undefined) return;
    lane.gathering = undefined;
    const answered = (reply: unknown) => batch.answered(reply);
    /** A node that does not know the script has run nothing of it, so that sending it whole counts nothing twice. */
    const sendWhole = (error: unknown) => {
      if (!isUnknownScript(error) || !batch.isOpen) throw error;
      return this.run("EVAL", batch.requests).then(answered);
    };
    try {
      this.run("EVALSHA", batch.requests)
        .then(answered, sendWhole)
        .catch((error: unknown) => batch.failed(error));
    } catch (error) {
      batch.failed(error);
    }
    this.deadlines.begin(batch);
    this.watch.sent(batch.requests.length);
  }
}
