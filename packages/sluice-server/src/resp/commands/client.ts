/** CLIENT: what libraries tell of themselves when they connect, and ask about their connection. */
import type { Peer } from "../peer.js";
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
  run(args, peer) {
    const subcommand = args[1]!.toUpperCase();
    if (!Object.hasOwn(SUBCOMMANDS, subcommand)) {
      const known = Object.keys(SUBCOMMANDS).join(", ");
      throw new ReplyError(`ERR unknown subcommand ${quoted(args[1]!)}. CLIENT knows ${known}.`);
    }
    const [arity, reply] = SUBCOMMANDS[subcommand]!;
    if (args.length !== arity) throw wrongNumberOfArguments(`client|${subcommand}`);
    return reply(args, peer);
  },
};

export function setName(peer: Peer, name: string): void {
  peer.name = checkedName("Client names", name);
}

const LONGEST_NAME = 200;

/** Kept as long as the connection, so that it must not be long. */
function checkedName(what: string, name: string): string {
  if (/^[!-~]*$/.test(name) && name.length <= LONGEST_NAME) return name;
  throw new ReplyError(
    `ERR ${what} cannot contain spaces, newlines or special characters, nor be longer than ${LONGEST_NAME}.`,
  );
}

function describe({ id, address, name, openedAt, protocol, libraryName, libraryVersion }: Peer): string {
  const age = Math.floor((Date.now() - openedAt) / 1000);
  return (
    `id=${id} addr=${address} name=${name} age=${age} db=0 resp=${protocol} ` +
    `lib-name=${libraryName} lib-ver=${libraryVersion}\n`
  );
}
