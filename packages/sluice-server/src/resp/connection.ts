/** One client: reads its commands, asks for the replies, and sends them in order. */
import type { Socket } from "node:net";
import type { Log } from "../log.js";
import type { CommandTable } from "./commands/command-table.js";
import { createPeer, type Peer } from "./peer.js";
import type { HeldBytes, Holder } from "./pressure/held-bytes.js";
import type { InFlight, Waiter } from "./pressure/in-flight.js";
import { OrderedReplies } from "./pressure/ordered-replies.js";
import { type Patience, Waits } from "./pressure/patience.js";
import { ProtocolError } from "./wire/protocol-error.js";
import { errorReply } from "./wire/reply.js";
import { RequestParser, STRANGER_LIMITS, USUAL_LIMITS } from "./wire/request-parser.js";

/** A client that has left so much unread is not read from. */
const MOST_UNREAD = 1024 * 1024;
/** So many commands of one client may wait for the store. */
const MOST_WAITING = 1_000;
/** So much is gathered before it is written, where one read makes more. */
const LARGEST_WRITE = 64 * 1024;

/** What all connections of a server share. */
export interface ConnectionContext {
  readonly table: CommandTable;
  readonly inFlight: InFlight;
  readonly heldBytes: HeldBytes;
  readonly patience: Patience;
  readonly tokens: () => readonly string[];
  readonly log: Log;
  /** Told once, when it is gone. */
  closed(connection: Connection): void;
}

export class Connection implements Waiter, Holder {
  held = 0;
  private readonly peer: Peer;
  private readonly parser = new RequestParser();
  private readonly replies = new OrderedReplies();
  private readonly waits = new Waits();
  private out = "";
  private sendsSoon = false;
  /** Commands have come that cannot be asked yet, since the client or the store does not keep up. */
  private stalled = false;
  private clientEnded = false;
  /** No further command is answered; when all replies have been sent, our side is ended too. */
  private finishing = false;
  private ended = false;

  constructor(
    private readonly socket: Socket,
    private readonly context: ConnectionContext,
  ) {
    this.peer = createPeer(`${socket.remoteAddress}:${socket.remotePort}`);
    socket.on("data", (chunk) => this.received(chunk));
    socket.on("drain", () => this.goOn());
    socket.on("end", () => {
      this.clientEnded = true;
      this.goOn();
    });
    // What has failed is closed, and that is all there is to do.
    socket.on("error", () => {});
    socket.on("close", () => this.gone());
  }

  private received(chunk: Buffer): void {
    if (this.finishing) return;
    this.parser.push(chunk.toString("latin1"));
    this.goOn();
  }

  /** Answers what has come, as far as the client and the store keep up, and reads on only then. */
  goOn(): void {
    if (this.ended) return;
    this.send();
    if (!this.finishing) this.answerAll();
    this.send();
    if (this.clientEnded && !this.stalled) this.finishing = true;
    if (this.finishing && this.replies.waiting === 0) this.end();
    else if (this.stalled) this.socket.pause();
    else if (this.socket.isPaused()) this.socket.resume();
    this.context.heldBytes.note(this, this.parser.held + this.unread);
  }

  /** Bytes of replies that the client has not taken, or cannot be given yet. */
  private get unread(): number {
    return this.replies.held + this.socket.writableLength;
  }

  private answerAll(): void {
    const { parser, peer } = this;
    this.stalled = false;
    try {
      while (!this.finishing) {
        if (!this.hasRoom()) {
          this.stalled = true;
          return;
        }
        parser.limits = this.isStranger() ? STRANGER_LIMITS : USUAL_LIMITS;
        const args = parser.next();
        if (args === undefined) return;
        this.answer(args);
        this.finishing = peer.ends;
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) this.context.log.error({ err: error }, "a connection failed");
      this.reply(errorReply(error instanceof ProtocolError ? error.message : "ERR internal error"));
      this.finishing = true;
    }
  }

  private isStranger(): boolean {
    return !this.peer.authenticated && this.context.tokens().length > 0;
  }

  private hasRoom(): boolean {
    if (this.out.length > LARGEST_WRITE) this.send();
    const { inFlight } = this.context;
    if (!inFlight.hasRoom) {
      inFlight.waitForRoom(this);
      return false;
    }
    return this.replies.waiting < MOST_WAITING && this.unread < MOST_UNREAD;
  }

  private answer(args: readonly string[]): void {
    const reply = this.context.table.execute(args, this.peer);
    if (typeof reply === "string") {
      this.reply(reply);
      return;
    }
    const place = this.replies.reserve();
    this.context.inFlight.begin();
    void reply.then((text) => {
      this.replies.fill(place, text);
      this.sendSoon();
      this.context.inFlight.end();
    });
  }

  private reply(reply: string): void {
    if (this.replies.waiting === 0) this.out += reply;
    else this.replies.fill(this.replies.reserve(), reply);
  }

  /** After all replies that come in this turn. */
  private sendSoon(): void {
    if (this.sendsSoon) return;
    this.sendsSoon = true;
    process.nextTick(() => {
      this.sendsSoon = false;
      this.goOn();
    });
  }

  private send(): void {
    if (this.replies.waiting > 0) this.out += this.replies.takeReady();
    if (this.out === "") return;
    if (this.socket.writable) this.socket.write(this.out, "latin1");
    this.out = "";
  }

  /** Answers what has been asked, and then closes. */
  finish(): void {
    this.finishing = true;
    this.goOn();
  }

  /** What the client still sends is read and dropped: closing over it could take the last reply from the client. */
  private end(): void {
    this.ended = true;
    this.socket.end();
    this.socket.resume();
  }

  /** Closes without waiting for anything. */
  drop(reason: string): void {
    if (!this.ended && this.socket.writable) this.socket.write(errorReply(reason), "latin1");
    this.ended = true;
    this.socket.destroy();
  }

  /** Called every now and then, since ten thousand connections must not have ten thousand timers. */
  check(now: number): void {
    const { parser, socket, waits, stalled, ended } = this;
    const late = waits.tooLong(now, this.context.patience, {
      halfCommand: !stalled && parser.isUnfinished ? parser.finished : undefined,
      unreadReplies: socket.writableLength > 0 ? socket.bytesWritten - socket.writableLength : undefined,
      goodbye: ended ? 0 : undefined,
    });
    if (late === "halfCommand") this.drop("ERR a command was begun and not finished");
    else if (late !== undefined) socket.destroy();
  }

  private gone(): void {
    this.ended = true;
    this.context.inFlight.forget(this);
    this.context.heldBytes.note(this, 0);
    this.context.closed(this);
  }
}
