/** Commands out of bytes as they come: arrays of bulk strings, as clients send them, or lines, as people do. */
import { ownCopy } from "./bytes.js";
import { wordsOf } from "./inline-command.js";
import { ProtocolError } from "./protocol-error.js";

export interface RequestLimits {
  readonly mostArguments: number;
  readonly longestArgument: number;
  readonly longestCommand: number;
}

export const USUAL_LIMITS: RequestLimits = {
  mostArguments: 1_024,
  longestArgument: 64 * 1024,
  longestCommand: 1024 * 1024,
};

/** Before authentication: enough for HELLO with all its parts. */
export const STRANGER_LIMITS: RequestLimits = {
  mostArguments: 10,
  longestArgument: 4 * 1024,
  longestCommand: 4 * 1024,
};

const INCOMPLETE = -1;
const LONGEST_HEADER = 32;
/** A string weighs more than its bytes, so that an argument must not be kept in many small ones. */
const MOST_PIECES = 64;
const ARGUMENT_OVERHEAD = 24;
const [ARRAY, BULK, MINUS, ZERO, CR, LF] = [0x2a, 0x24, 0x2d, 0x30, 0x0d, 0x0a];

/**
 * Arguments are taken off as soon as they are whole, so that what is kept back is never more than one unfinished
 * argument, and every byte is looked at a fixed number of times, in however small pieces it comes.
 */
export class RequestParser {
  limits: RequestLimits = USUAL_LIMITS;
  /** How many commands it has given. */
  finished = 0;
  private text = "";
  private at = 0;
  /** What has come of an argument, and how much of it is still to come. */
  private pieces: string[] = [];
  private gathered = 0;
  private missing = 0;
  /** The command that has begun: its arguments so far, how many are to come, and its length so far. */
  private args: string[] = [];
  /** How many of them are copies, which keep no chunk alive. */
  private copied = 0;
  private argumentsToCome = 0;
  private length = 0;

  push(chunk: string): void {
    if (this.missing > 0) {
      this.pieces.push(chunk);
      this.gathered += chunk.length;
      this.missing -= chunk.length;
      if (this.missing > 0) {
        if (this.pieces.length > MOST_PIECES) this.pieces = [ownCopy(this.pieces.join(""))];
        return;
      }
      this.text += this.pieces.join("");
      this.pieces = [];
      this.gathered = 0;
    } else {
      this.text = this.at === this.text.length ? chunk : this.text.slice(this.at) + chunk;
      this.at = 0;
    }
  }

  /** The next command, or undefined until more has come. Throws ProtocolError, and must not be asked after that. */
  next(): readonly string[] | undefined {
    while (this.missing <= 0 && this.at < this.text.length) {
      if (this.argumentsToCome === 0) {
        if (this.text.charCodeAt(this.at) !== ARRAY) {
          const words = this.takeLine();
          if (words === undefined) break;
          if (words.length === 0) continue;
          this.finished += 1;
          return words;
        }
        const count = this.takeHeader("multibulk", this.limits.mostArguments);
        if (count === INCOMPLETE) break;
        this.argumentsToCome = count;
        this.length = 0;
        this.args = [];
        this.copied = 0;
      } else {
        const length = this.takeArgument();
        if (length === INCOMPLETE) break;
        this.argumentsToCome -= 1;
        if (this.argumentsToCome === 0) {
          const { args } = this;
          this.args = [];
          this.finished += 1;
          return args;
        }
      }
    }
    this.forget();
    return undefined;
  }

  /** What is kept of unfinished and unanswered commands, in bytes of memory. */
  get held(): number {
    const begun = this.argumentsToCome > 0 ? this.length + ARGUMENT_OVERHEAD * this.args.length : 0;
    return begun + this.text.length + this.gathered;
  }

  /** To be called where commands are left for later: lets go of the answered part once it is the larger one. */
  compact(): void {
    if (this.at > this.text.length / 2) this.forget();
  }

  /** Whether a command has begun and is not whole. */
  get isUnfinished(): boolean {
    return this.argumentsToCome > 0 || this.at < this.text.length;
  }

  private takeArgument(): number {
    const start = this.at;
    if (this.text.charCodeAt(start) !== BULK) {
      throw new ProtocolError(`expected '$', got '${this.text.charAt(start)}'`);
    }
    const { longestArgument, longestCommand } = this.limits;
    const length = this.takeHeader("bulk", Math.min(longestArgument, longestCommand - this.length));
    if (length === INCOMPLETE) return INCOMPLETE;
    const { text, at } = this;
    const end = at + length;
    if (end + 2 > text.length) {
      this.at = start;
      this.missing = end + 2 - text.length;
      return INCOMPLETE;
    }
    if (text.charCodeAt(end) !== CR || text.charCodeAt(end + 1) !== LF) {
      throw new ProtocolError("an argument is longer than its declared length");
    }
    this.args.push(text.slice(at, end));
    this.at = end + 2;
    this.length += this.at - start;
    return length;
  }

  /** The number behind the first character of a line. A negative number of arguments is none, as it is to Redis. */
  private takeHeader(what: "multibulk" | "bulk", largest: number): number {
    const { text } = this;
    let index = this.at + 1;
    const negative = what === "multibulk" && text.charCodeAt(index) === MINUS;
    if (negative) index += 1;
    const first = index;
    let value = 0;
    for (; index < text.length; index += 1) {
      const digit = text.charCodeAt(index) - ZERO;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
      if (value > largest && !negative) throw new ProtocolError(`invalid ${what} length`);
      if (index - this.at > LONGEST_HEADER) throw new ProtocolError(`invalid ${what} length`);
    }
    if (index < text.length && (index === first || text.charCodeAt(index) !== CR)) {
      throw new ProtocolError(`invalid ${what} length`);
    }
    if (index + 1 >= text.length) return INCOMPLETE;
    if (text.charCodeAt(index + 1) !== LF) throw new ProtocolError(`invalid ${what} length`);
    this.at = index + 2;
    return negative ? 0 : value;
  }

  private takeLine(): readonly string[] | undefined {
    const { text, at } = this;
    const { longestArgument, mostArguments } = this.limits;
    const end = text.indexOf("\n", at);
    if ((end < 0 ? text.length : end) - at > longestArgument)
      throw new ProtocolError("too big inline request");
    if (end < 0) return undefined;
    const words = wordsOf(text.slice(at, end));
    if (words.length > mostArguments) throw new ProtocolError("too big inline request");
    this.at = end + 1;
    return words;
  }

  /** Lets go of what has been taken, and of the chunk around what has not: a slice keeps all of it alive. */
  private forget(): void {
    if (this.at === 0) return;
    for (; this.copied < this.args.length; this.copied += 1) {
      this.args[this.copied] = ownCopy(this.args[this.copied]!);
    }
    this.text = this.at === this.text.length ? "" : ownCopy(this.text.slice(this.at));
    this.at = 0;
  }
}
