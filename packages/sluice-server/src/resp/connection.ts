/** One client: reads its commands, asks for the replies, and sends them in order. */
import type { Socket } from "node:net";
import type { Log } from "../log.js";
import type { CommandTable } from "./commands/command-table.js";
import { createPeer, isStranger, type Peer } from "./peer.js";
import type { HeldBytes, Holder } from "./pressure/held-bytes.js";
import { OrderedReplies } from "./pressure/ordered-replies.js";
import { type Patience, Waits } from "./pressure/patience.js";
import type { Participant, Turns } from "./pressure/turns.js";
import { ProtocolError } from "./wire/protocol-error.js";
import { errorReply } from "./wire/reply.js";
import { RequestParser, STRANGER_LIMITS, USUAL_LIMITS } from "./wire/request-parser.js";

/** A client that has left so much unread is not read from. */
const MOST_UNREAD = 1024 * 1024;
/** So many commands of one client, by weight, may wait for the store: two batches, one under way while the other is gathered. */
const MOST_WAITING = 256;
/** So many are answered as soon as they come, where nobody else is waiting. */
const MOST_AT_ONCE = 128;
/** So many a stranger may send; a token is among the first. */
const MOST_OF_STRANGER = 64;
/** So much is gathered before it is written, where one read makes more. */
const LARGEST_WRITE = 64 * 1024;

/** What all connections of a server share. */
export interface ConnectionContext {
  readonly table: CommandTable;
  readonly turns: Turns;
  readonly heldBytes: HeldBytes;
  readonly patience: Patience;
  readonly tokens: () => readonly string[];
  readonly log: Log;
  /** Told once, when it is gone. */
  closed(connection: Connection): void;
}

export class Connection implements Participant, Holder {
  held = 0;
  private readonly peer: Peer;
  private readonly parser = new RequestParser();
  private readonly replies = new OrderedReplies();
  private readonly waits = new Waits();
  private out = "";
  private sendsSoon = false;
  /** The weight of commands that the store has not answered. */
  private inFlight = 0;
  /** Commands have come that are not answered yet: it is not its turn, or the client or the store does not keep up. */
  /** A transaction is being answered. */
  private executing = false;
  private stalled = false;
  /** Commands that it has sent as a stranger. */
  private sentAsStranger = 0;
  private clientEnded = false;
  private serverCloses = false;
  /** No further command is answered; when all replies have been sent, our side is ended too. */
  private finishing = false;
  private ended = false;

  constructor(
    private readonly socket: Socket,
    private readonly context: ConnectionContext,
  ) {
    const { remoteAddress = "", remotePort = 0, localAddress, localPort } = socket;
    this.peer = createPeer(remoteAddress, remotePort, `${localAddress}:${localPort}`);
    socket.on("data", (chunk) => this.received(chunk));
    socket.on("drain", () => this.cameOn());
    socket.on("end", () => {
      this.clientEnded = true;
      this.settle();
    });
    // What has failed is closed, and that is all there is to do.
    socket.on("error", () => {});
    socket.on("close", () => this.gone());
  }

  /** Not authenticated, where that is asked for. */
  get isStranger(): boolean {
    return isStranger(this.peer, this.context.tokens());
  }

  private received(chunk: Buffer): void {
    if (this.finishing) return;
    this.parser.push(chunk.toString("latin1"));
    if (this.context.turns.isContended) {
      this.waitForTurn();
      this.settle();
    } else this.takeTurn(MOST_AT_ONCE);
  }

  private waitForTurn(): void {
    this.stalled = true;
    this.context.turns.join(this);
  }

  /** The client has read, or the store has answered. */
  private cameOn(): void {
    if (this.ended) return;
    this.send();
    if (this.stalled && this.keepsUp) this.waitForTurn();
    this.settle();
  }

  /** Answers what has come, as far as the client and the store keep up. */
  takeTurn(mostCommands: number): void {
    if (this.ended) return;
    this.send();
    if (!this.finishing) this.answerAll(mostCommands);
    this.settle();
  }

  /** Reads on only when all that has come is answered. */
  private settle(): void {
    if (this.ended) return;
    this.send();
    if (!this.stalled) {
      if (this.clientEnded) this.finishing = true;
      else if (this.serverCloses) this.finishWhenQuiet();
    }
    if (this.finishing && this.replies.waiting === 0) this.end();
    else if (this.stalled) this.socket.pause();
    else if (this.socket.isPaused()) this.socket.resume();
    const unanswered = this.parser.held + this.socket.readableLength + (this.peer.transaction?.bytes ?? 0);
    this.context.heldBytes.note(this, unanswered + this.unread);
  }

  /** Bytes of replies that the client has not taken, or cannot be given yet. */
  private get unread(): number {
    return this.replies.held + this.socket.writableLength;
  }

  private get keepsUp(): boolean {
    if (this.out.length > LARGEST_WRITE) this.send();
    if (this.executing) return false;
    return this.inFlight < MOST_WAITING && this.replies.waiting < MOST_WAITING && this.unread < MOST_UNREAD;
  }

  private answerAll(mostCommands: number): void {
    const { parser, peer } = this;
    let left = mostCommands;
    this.stalled = false;
    try {
      while (!this.finishing) {
        if (!this.keepsUp) this.stalled = true;
        else if (left <= 0 || !this.context.turns.hasRoom) this.waitForTurn();
        if (this.stalled) {
          parser.compact();
          return;
        }
        const { isStranger } = this;
        parser.limits = isStranger ? STRANGER_LIMITS : USUAL_LIMITS;
        const args = parser.next();
        if (args === undefined) return;
        if (isStranger && ++this.sentAsStranger > MOST_OF_STRANGER) {
          this.reply(errorReply(`NOAUTH closed after ${MOST_OF_STRANGER} commands without a token`));
          this.finishing = true;
          return;
        }
        left -= this.answer(args);
        this.finishing = peer.ends;
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) this.context.log.error({ err: error }, "a connection failed");
      this.reply(errorReply(error instanceof ProtocolError ? error.message : "ERR internal error"));
      this.finishing = true;
    }
  }

  /** The weight of the command; EXEC weighs what was queued. */
  private answer(args: readonly string[]): number {
    const { turns, table } = this.context;
    const { transaction } = this.peer;
    const reply = table.execute(args, this.peer);
    if (typeof reply === "string") {
      this.reply(reply);
      return 1;
    }
    const weight = transaction?.weight ?? table.weightOf(args);
    const place = this.replies.reserve();
    /** What comes behind EXEC waits until all of the transaction has been asked. */
    const isExec = transaction !== undefined && this.peer.transaction === undefined;
    if (isExec) this.executing = true;
    this.inFlight += weight;
    turns.begin(weight);
    void reply.then((text) => {
      if (isExec) this.executing = false;
      this.replies.fill(place, text);
      this.inFlight -= weight;
      this.sendSoon();
      turns.end(weight);
    });
    return weight;
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
      this.cameOn();
    });
  }

  private send(): void {
    if (this.replies.waiting > 0) this.out += this.replies.takeReady();
    if (this.out === "") return;
    if (this.socket.writable) this.socket.write(this.out, "latin1");
    this.out = "";
  }

  /** Answers what has reached this machine, and then closes. */
  finish(): void {
    this.serverCloses = true;
    this.settle();
  }

  /** Whether anything has come is known after the event loop has polled once. */
  private finishWhenQuiet(): void {
    const { bytesRead } = this.socket;
    setImmediate(() =>
      setImmediate(() => {
        if (this.stalled || this.socket.bytesRead > bytesRead) return;
        this.finishing = true;
        this.settle();
      }),
    );
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
      authentication: this.isStranger ? 0 : undefined,
      halfCommand: !stalled && parser.isUnfinished ? parser.finished : undefined,
      unreadReplies: socket.writableLength > 0 ? socket.bytesWritten - socket.writableLength : undefined,
      goodbye: ended ? 0 : undefined,
    });
    if (late === "authentication") this.drop("NOAUTH closed for want of a token; send AUTH first");
    else if (late === "halfCommand") this.drop("ERR a command was begun and not finished");
    else if (late !== undefined) socket.destroy();
  }

  private gone(): void {
    this.ended = true;
    this.context.turns.leave(this);
    this.context.heldBytes.note(this, 0);
    this.context.closed(this);
  }
}
