/** Finds the command that was asked for, and makes a reply of whatever comes of it. */
import { SluiceError } from "sluice";
import { StoreUnavailable } from "sluice/redis";
import type { Log } from "../../log.js";
import { isStranger, type Peer } from "../peer.js";
import { bytesOf } from "../wire/bytes.js";
import { errorReply } from "../wire/reply.js";
import { type Command, quoted, ReplyError, wrongNumberOfArguments } from "./command.js";
import { abort, enqueue } from "./transaction.js";

/** `command` is one of ours or "unknown", whatever the client wrote; the time is that until the reply. */
export type OnCommand = (command: string, succeeded: boolean, milliseconds: number) => void;

export interface TableOptions {
  readonly commands: readonly Command[];
  readonly tokens: () => readonly string[];
  readonly log: Log;
  readonly onCommand?: OnCommand | undefined;
}

export class CommandTable {
  private readonly byName: ReadonlyMap<string, Command>;

  constructor(private readonly options: TableOptions) {
    this.byName = new Map(options.commands.map((command) => [command.name, command]));
  }

  private find(args: readonly string[]): Command | undefined {
    return this.byName.get(args[0]!) ?? this.byName.get(args[0]!.toUpperCase());
  }

  weightOf(args: readonly string[]): number {
    return this.find(args)?.weightOf?.(args) ?? 1;
  }

  /** Never throws and never rejects. */
  execute(args: readonly string[], peer: Peer): string | Promise<string> {
    const command = this.find(args);
    if (this.options.onCommand === undefined) return this.answer(command, args, peer);
    const start = performance.now();
    const reply = this.answer(command, args, peer);
    if (typeof reply === "string") return this.told(command, reply, start);
    return reply.then((text) => this.told(command, text, start));
  }

  /** A hook that throws must not take anyone's reply away. */
  private told(command: Command | undefined, reply: string, start: number): string {
    try {
      this.options.onCommand?.(command?.name ?? "unknown", !reply.startsWith("-"), performance.now() - start);
    } catch (error) {
      this.options.log.error({ err: error }, "a hook failed");
    }
    return reply;
  }

  private answer(
    command: Command | undefined,
    args: readonly string[],
    peer: Peer,
  ): string | Promise<string> {
    const { transaction } = peer;
    try {
      const accepted = this.accepted(command, args, peer);
      if (transaction === undefined || accepted.isNeverQueued) return this.run(accepted, args, peer);
      accepted.check?.(args);
      return enqueue(transaction, args, accepted.weightOf?.(args) ?? 1);
    } catch (error) {
      if (transaction !== undefined) abort(transaction);
      return this.replyTo(error);
    }
  }

  private run(command: Command, args: readonly string[], peer: Peer): string | Promise<string> {
    try {
      const reply = command.run(args, peer);
      return typeof reply === "string" ? reply : reply.catch((error: unknown) => this.replyTo(error));
    } catch (error) {
      return this.replyTo(error);
    }
  }

  /** Throws on what may not be asked, whatever its arguments say. */
  private accepted(command: Command | undefined, args: readonly string[], peer: Peer): Command {
    if (command === undefined) throw unknownCommand(args, peer);
    if (!command.forStrangers && isStranger(peer, this.options.tokens())) {
      throw new ReplyError("NOAUTH Authentication required.");
    }
    const { arity } = command;
    if (arity < 0 ? args.length < -arity : args.length !== arity) throw wrongNumberOfArguments(command.name);
    return command;
  }

  private replyTo(error: unknown): string {
    if (error instanceof ReplyError) return errorReply(error.message);
    if (error instanceof StoreUnavailable) return errorReply(bytesOf(`UNAVAILABLE ${error.message}`));
    if (error instanceof SluiceError) return errorReply(bytesOf(`ERR ${error.message}`));
    this.options.log.error({ err: error }, "a command failed");
    return errorReply("ERR internal error");
  }
}

const LONGEST_SHOWN = 128;

/** What a web page had a browser send here ends the connection, before the commands that may be in its body. */
function unknownCommand(args: readonly string[], peer: Peer): ReplyError {
  if (/^(POST|Host:)$/i.test(args[0]!) || args[2]?.startsWith("HTTP/")) peer.ends = true;
  let shown = "";
  for (let at = 1; at < args.length && shown.length < LONGEST_SHOWN; at += 1) {
    shown += `${quoted(args[at]!, LONGEST_SHOWN - shown.length)} `;
  }
  return new ReplyError(`ERR unknown command ${quoted(args[0]!)}, with args beginning with: ${shown}`);
}
