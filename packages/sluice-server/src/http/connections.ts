/** The answers that connections wait for: bounded in number, and nobody is cut off in the middle of one. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { MOST_CONNECTIONS, MOST_PIPELINED } from "./patience.js";

type Response = ServerResponse<IncomingMessage>;

interface Connection {
  /** In the order in which they were asked for. */
  readonly owed: Set<Response>;
  latest?: Response;
}

/** Of how many connections, the longest unused first, one is looked for that a newcomer may take the place of. */
const MOST_LOOKED_AT = 64;

/** Connections that have shown a token: they keep their place. */
const authenticated = new WeakSet<Socket>();

export function markAuthenticated(socket: Socket): void {
  authenticated.add(socket);
}

export class Connections {
  /** Those that were used last come last. */
  private readonly open = new Map<Socket, Connection>();
  private closing = false;

  constructor(
    server: Server,
    private readonly most = MOST_CONNECTIONS,
  ) {
    server.on("connection", (socket) => {
      if (this.open.size >= this.most && !this.makeRoom()) {
        socket.destroy();
        return;
      }
      this.open.set(socket, { owed: new Set() });
      socket.once("close", () => this.open.delete(socket));
    });
  }

  /** Closes the stranger that has been idle longest, so that strangers who hold places cannot keep others out. */
  private makeRoom(): boolean {
    let looked = 0;
    for (const [socket, { owed }] of this.open) {
      if (owed.size === 0 && !authenticated.has(socket)) {
        this.open.delete(socket);
        socket.destroy();
        return true;
      }
      looked += 1;
      if (looked === MOST_LOOKED_AT) return false;
    }
    return false;
  }

  /** The listener, told only of requests that are going to be answered. */
  watching(listener: RequestListener): RequestListener {
    return (request, response) => {
      const connection = this.open.get(request.socket);
      if (connection === undefined || !this.take(request.socket, connection, response)) return;
      listener(request, response);
    };
  }

  private take(socket: Socket, connection: Connection, response: Response): boolean {
    // Each is held until all before it are read, and one packet holds more than a thousand.
    if (connection.owed.size >= MOST_PIPELINED) socket.destroy();
    if (socket.destroyed) return false;
    connection.owed.add(response);
    connection.latest = response;
    if (this.closing) endAfterLast(connection);
    response.once("close", () => {
      connection.owed.delete(response);
      if (this.open.delete(socket)) this.open.set(socket, connection);
      if (this.closing && connection.owed.size === 0) socket.destroySoon();
    });
    return true;
  }

  /** Calls back once all is answered that came whole, and tells whether there may be an answer to what did not. */
  afterAnswers(socket: Socket, next: (mayAnswer: boolean) => void): void {
    const { owed, latest } = this.open.get(socket) ?? { owed: new Set<Response>() };
    const isAnswered = latest !== undefined && !latest.req.complete && latest.headersSent;
    const last = [...owed].filter(({ req }) => req.complete).at(-1);
    if (last === undefined) next(!isAnswered);
    else last.once("close", () => next(!isAnswered));
  }

  /** From now on every connection ends with its last answer, and at once where none is owed. */
  finish(): void {
    this.closing = true;
    for (const [socket, connection] of this.open) {
      if (connection.owed.size > 0) endAfterLast(connection);
      // Node closes those that are idle by itself, but not those that never asked.
      else if (socket.bytesRead === 0) socket.destroy();
    }
  }
}

/** Says `Connection: close` with the last answer; with an earlier one, those behind it would never be sent. */
function endAfterLast({ owed, latest }: Connection): void {
  for (const response of owed) if (!response.headersSent) response.shouldKeepAlive = response !== latest;
}
