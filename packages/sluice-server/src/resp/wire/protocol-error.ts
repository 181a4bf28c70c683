/** What a client sends that is no command at all: it is told so, and the connection is closed. */
export class ProtocolError extends Error {
  constructor(what: string) {
    super(`ERR Protocol error: ${what}`);
  }
}
