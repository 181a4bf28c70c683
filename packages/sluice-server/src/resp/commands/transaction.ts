/** MULTI, EXEC and DISCARD: commands that are queued, and then answered together or not at all. */
import type { Peer, Transaction } from "../peer.js";
import { ownCopy } from "../wire/bytes.js";
import { array, OK, simple } from "../wire/reply.js";
import { type Command, ReplyError } from "./command.js";

/** Queued commands are kept until EXEC, so that both are bounded. */
const MOST_COMMANDS = 1_024;
const MOST_BYTES = 1024 * 1024;
/** What an argument weighs besides its bytes. */
const ARGUMENT_OVERHEAD = 32;

/** Arguments are copied, since each would keep the whole chunk alive that it came in. */
export function enqueue(transaction: Transaction, args: readonly string[], weight: number): string {
  if (!transaction.aborted) {
    transaction.bytes += args.reduce((sum, { length }) => sum + length + ARGUMENT_OVERHEAD, 0);
    if (transaction.commands.length >= MOST_COMMANDS || transaction.bytes > MOST_BYTES) {
      throw new ReplyError(
        `ERR the transaction is too large: it holds at most ${MOST_COMMANDS} commands and ${MOST_BYTES} bytes. ` +
          "Send several smaller ones.",
      );
    }
    transaction.commands.push(args.map(ownCopy));
    transaction.weight += weight;
  }
  return simple("QUEUED");
}

export function abort(transaction: Transaction): void {
  transaction.aborted = true;
  transaction.commands = [];
  transaction.bytes = 0;
  transaction.weight = 0;
}

/** Answers one command; never throws and never rejects. */
export type Execute = (args: readonly string[], peer: Peer) => string | Promise<string>;

export function transactionCommands(execute: Execute): readonly Command[] {
  /**
   * All are asked before any is waited for, so that nothing of another connection comes between, except for a refund: it
   * has to know what was charged before it.
   */
  async function executeAll(commands: readonly (readonly string[])[], peer: Peer): Promise<string> {
    const replies: (string | Promise<string>)[] = [];
    for (const args of commands) {
      const reply = execute(args, peer);
      replies.push(reply);
      if (args[0]?.toUpperCase() === "SLUICE.REFUND") await reply;
    }
    return array(await Promise.all(replies));
  }

  return [
    {
      name: "MULTI",
      arity: 1,
      summary: "Queues the commands that follow, until EXEC",
      isNeverQueued: true,
      run(_, peer) {
        if (peer.transaction !== undefined) throw new ReplyError("ERR MULTI calls can not be nested");
        peer.transaction = { commands: [], bytes: 0, weight: 0, aborted: false };
        return OK;
      },
    },
    {
      name: "EXEC",
      arity: 1,
      summary: "Answers all queued commands in order, or none where one could not be queued",
      isNeverQueued: true,
      run(_, peer) {
        const { transaction } = peer;
        if (transaction === undefined) throw new ReplyError("ERR EXEC without MULTI");
        peer.transaction = undefined;
        if (transaction.aborted) {
          throw new ReplyError("EXECABORT Transaction discarded because of previous errors.");
        }
        return executeAll(transaction.commands, peer);
      },
    },
    {
      name: "DISCARD",
      arity: 1,
      summary: "Forgets the queued commands",
      isNeverQueued: true,
      run(_, peer) {
        if (peer.transaction === undefined) throw new ReplyError("ERR DISCARD without MULTI");
        peer.transaction = undefined;
        return OK;
      },
    },
    {
      name: "WATCH",
      arity: -2,
      summary: "Not supported: decisions are atomic without it",
      isNeverQueued: true,
      run(_, peer) {
        throw new ReplyError(
          peer.transaction === undefined
            ? "ERR WATCH is not supported; decisions are atomic without it"
            : "ERR WATCH inside MULTI is not allowed",
        );
      },
    },
    { name: "UNWATCH", arity: 1, summary: "Nothing is ever watched", run: () => OK },
  ];
}
