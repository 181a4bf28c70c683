/**
 * Round robin among connections. A connection with more commands than it may answer at once queues up here; each turn of
 * the event loop lets every queued connection answer its share, so that a flood delays others by one turn at most.
 */

export interface Participant {
  /** Answers at most so many commands, and queues up again where that was not all. */
  takeTurn(mostCommands: number): void;
}

export interface TurnLimits {
  /** Commands of all connections, by weight, that may wait for the store. Each waits behind the others. */
  readonly mostInFlight: number;
  /** Commands that are answered in one turn of the event loop, shared by all that are queued. */
  readonly mostPerTurn: number;
}

export class Turns {
  private readonly queue = new Set<Participant>();
  private inFlight = 0;
  private scheduled = false;

  constructor(private readonly limits: TurnLimits) {}

  /** Whether the store may be asked for one more. */
  get hasRoom(): boolean {
    return this.inFlight < this.limits.mostInFlight;
  }

  /** While someone is queued, nobody answers out of turn. */
  get isContended(): boolean {
    return this.queue.size > 0;
  }

  begin(weight: number): void {
    this.inFlight += weight;
  }

  end(weight: number): void {
    this.inFlight -= weight;
    this.schedule();
  }

  join(participant: Participant): void {
    this.queue.add(participant);
    this.schedule();
  }

  leave(participant: Participant): void {
    this.queue.delete(participant);
  }

  private schedule(): void {
    if (this.scheduled || !this.isContended || !this.hasRoom) return;
    this.scheduled = true;
    setImmediate(this.run);
  }

  /** Who joins meanwhile is behind all others, and waits for the next turn. */
  private readonly run = (): void => {
    this.scheduled = false;
    let left = this.queue.size;
    const share = Math.max(1, Math.floor(this.limits.mostPerTurn / left));
    for (const participant of this.queue) {
      if (left === 0 || !this.hasRoom) break;
      left -= 1;
      this.queue.delete(participant);
      participant.takeTurn(share);
    }
    this.schedule();
  };
}
