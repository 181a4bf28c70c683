/** Replies in the order of their commands, in whatever order they come. */

export interface Place {
  reply: string | undefined;
}

export class OrderedReplies {
  private places: Place[] = [];
  private taken = 0;
  /** How many bytes wait for an earlier reply. */
  held = 0;

  /** How many commands have not been replied to. */
  get waiting(): number {
    return this.places.length - this.taken;
  }

  /** The place of the next reply. */
  reserve(): Place {
    const place = { reply: undefined };
    this.places.push(place);
    return place;
  }

  fill(place: Place, reply: string): void {
    place.reply = reply;
    this.held += reply.length;
  }

  /** What can be sent now: all that is there before the first that is not. */
  takeReady(): string {
    let ready = "";
    for (; this.taken < this.places.length; this.taken += 1) {
      const { reply } = this.places[this.taken]!;
      if (reply === undefined) break;
      ready += reply;
    }
    this.held -= ready.length;
    if (this.taken === this.places.length || this.taken > 1_000) {
      this.places = this.places.slice(this.taken);
      this.taken = 0;
    }
    return ready;
  }
}
