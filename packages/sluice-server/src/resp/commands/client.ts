/** CLIENT: what libraries tell of themselves when they connect, and ask about their connection. */
import type { Peer } from "../peer.js";
import { ownCopy } from "../wire/bytes.js";
import { bulk, integer, nil, OK } from "../wire/reply.js";
import { type Command, quoted, ReplyError, wrongNumberOfArguments } from "./command.js";

/** By subcommand, how many arguments it takes, both names among them, and its reply. */
const SUBCOMMANDS: Readonly<
  Record<string, readonly [number, (args: readonly string[], peer: Peer) => string]>
> = {
  ID: [2, (_, { id }) => integer(id)],
  GETNAME: [2, (_, { name, protocol }) => (name === "" ? nil(protocol) : bulk(name))],
  SETNAME: [
    3,
    (args, peer) => {
      setName(peer, args[2]!);
      return OK;
    },
  ],
  SETINFO: [
    4,
    (args, peer) => {
      const [option, value] = [args[2]!.toUpperCase(), args[3]!];
      if (option === "LIB-NAME") peer.libraryName = checkedName(option, value);
      else if (option === "LIB-VER") peer.libraryVersion = checkedName(option, value);
      else throw new ReplyError(`ERR Unrecognized option ${quoted(args[2]!)}`);
      return OK;
    },
  ],
  INFO: [2, (_, peer) => bulk(describe(peer))],
  "NO-EVICT": [3, () => OK],
  "NO-TOUCH": [3, () => OK],
};

export const clientCommand: Command = {
  name: "CLIENT",
  arity: -2,
  summary: "Tells of the connection, and takes what its client says of itself",
  check: (args) => void subcommandOf(args),
  run: (args, peer) => subcommandOf(args)(args, peer),
};

function subcommandOf(args: readonly string[]) {
  const subcommand = args[1]!.toUpperCase();
  if (!Object.hasOwn(SUBCOMMANDS, subcommand)) {
    const known = Object.keys(SUBCOMMANDS).join(", ");
    throw new ReplyError(`ERR unknown subcommand ${quoted(args[1]!)}. CLIENT knows ${known}.`);
  }
  const [arity, reply] = SUBCOMMANDS[subcommand]!;
  if (args.length !== arity) throw wrongNumberOfArguments(`client|${subcommand}`);
  return reply;
}

export function setName(peer: Peer, name: string): void {
  peer.name = checkedName("Client names", name);
}

const LONGEST_NAME = 200;

/** Kept as long as the connection: short, and without the chunk that it came in. */
function checkedName(what: string, name: string): string {
  if (/^[!-~]*$/.test(name) && name.length <= LONGEST_NAME) return ownCopy(name);
  throw new ReplyError(
    `ERR ${what} cannot contain spaces, newlines or special characters, nor be longer than ${LONGEST_NAME}.`,
  );
}

/** All fields of Redis 7, since libraries read them by name; 0 for what this server does not measure. */
function describe(peer: Peer): string {
  const age = Math.floor((Date.now() - peer.openedAt) / 1000);
  return (
    `id=${peer.id} addr=${peer.address} laddr=${peer.localAddress} fd=0 name=${peer.name} age=${age} idle=0 ` +
    "flags=N db=0 sub=0 psub=0 ssub=0 multi=-1 qbuf=0 qbuf-free=0 argv-mem=0 multi-mem=0 rbs=0 rbp=0 " +
    "obl=0 oll=0 omem=0 tot-mem=0 events=r cmd=client|info user=default redir=-1 " +
    `resp=${peer.protocol} lib-name=${peer.libraryName} lib-ver=${peer.libraryVersion}\n`
  );
}
