/** Why a question to the server has no answer. */

export class TokenNeeded extends Error {
  override readonly name = "TokenNeeded";
}

export class RefusedByServer extends Error {
  override readonly name = "RefusedByServer";

  constructor(
    message: string,
    readonly status: number,
    /** How long the server asks to be left alone; 0 where it does not say. */
    readonly retryAfterMs: number,
  ) {
    super(message);
  }
}
