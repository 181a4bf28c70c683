/** For how long a client may keep the server waiting, noticed by looking at it every now and then. */

/** In milliseconds. */
export interface Patience {
  /** To authenticate, where tokens are configured. */
  readonly authentication: number;
  /** To finish a command that it has begun. */
  readonly halfCommand: number;
  /** To read at least some of its replies. */
  readonly unreadReplies: number;
  /** To close its end, once ours is closed. */
  readonly goodbye: number;
}

export type Wait = keyof Patience;

/** By wait, how far the client has come with it; undefined where nothing is waited for. */
export type Progress = Readonly<Record<Wait, number | undefined>>;

const WAITS: readonly Wait[] = ["authentication", "halfCommand", "unreadReplies", "goodbye"];

/** The waits of one client. Each begins anew whenever the client comes on. */
export class Waits {
  private readonly at: Record<Wait, number | undefined> = {
    authentication: undefined,
    halfCommand: undefined,
    unreadReplies: undefined,
    goodbye: undefined,
  };
  private readonly since: Record<Wait, number> = {
    authentication: 0,
    halfCommand: 0,
    unreadReplies: 0,
    goodbye: 0,
  };

  /** Which has lasted too long. */
  tooLong(now: number, patience: Patience, progress: Progress): Wait | undefined {
    return WAITS.find((wait) => {
      if (progress[wait] !== this.at[wait]) {
        this.at[wait] = progress[wait];
        this.since[wait] = now;
      }
      return this.at[wait] !== undefined && now - this.since[wait] > patience[wait];
    });
  }
}
