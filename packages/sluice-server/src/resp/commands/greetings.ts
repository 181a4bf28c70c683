/** What clients say to begin, to stay and to leave: PING, ECHO, SELECT, QUIT, RESET, AUTH and HELLO. */
import type { TokenGuard } from "../../tokens.js";
import { forgetAll, isStranger, type Peer } from "../peer.js";
import { bytesOf } from "../wire/bytes.js";
import { array, bulk, bulkText, integer, map, OK, type Protocol, simple } from "../wire/reply.js";
import { setName } from "./client.js";
import { type Command, ReplyError, wrongNumberOfArguments } from "./command.js";

export interface GreetingOptions {
  /** Asked at each AUTH, so that a changed configuration counts at once. */
  readonly tokens: () => readonly string[];
  readonly tokenGuard: TokenGuard;
  readonly version: string;
}

export function greetingCommands({ tokens, tokenGuard, version }: GreetingOptions): readonly Command[] {
  function authenticate(token: string, peer: Peer): void {
    const known = tokens();
    if (known.length === 0) {
      throw new ReplyError(
        "ERR AUTH <password> called without any password configured for the default user. " +
          "Are you sure your configuration is correct?",
      );
    }
    const check = tokenGuard.check(token, known.map(bytesOf), peer.host);
    if (check.kind === "blocked") {
      const seconds = Math.ceil(check.retryAfterMs / 1000);
      throw new ReplyError(`WRONGPASS too many wrong tokens from your address. Try again in ${seconds} s.`);
    }
    if (check.kind === "wrong") {
      throw new ReplyError("WRONGPASS invalid username-password pair or user is disabled.");
    }
    peer.token = known[check.index];
  }

  function hello(args: readonly string[], peer: Peer): string {
    const protocol = args.length > 1 ? protocolOf(args[1]!) : peer.protocol;
    let name: string | undefined;
    let token: string | undefined;
    for (let at = 2; at < args.length; ) {
      const option = args[at]!.toUpperCase();
      if (option === "AUTH" && at + 2 < args.length) {
        token = args[at + 2]!;
        at += 3;
      } else if (option === "SETNAME" && at + 1 < args.length) {
        name = args[at + 1]!;
        at += 2;
      } else {
        throw new ReplyError("ERR Syntax error in HELLO option");
      }
    }
    if (token !== undefined) authenticate(token, peer);
    if (isStranger(peer, tokens())) {
      throw new ReplyError(
        "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto> AUTH " +
          "<user> <pass> option can be used to authenticate the client and select the RESP protocol version " +
          "at the same time",
      );
    }
    if (name !== undefined) setName(peer, name);
    peer.protocol = protocol;
    return map(protocol, [
      ["server", bulkText("sluice")],
      ["version", bulkText(version)],
      ["proto", integer(protocol)],
      ["id", integer(peer.id)],
      ["mode", bulkText("standalone")],
      ["role", bulkText("master")],
      ["modules", array([])],
    ]);
  }

  return [
    {
      name: "PING",
      arity: -1,
      summary: "Answers PONG, or what it is given",
      run(args) {
        if (args.length > 2) throw wrongNumberOfArguments("PING");
        return args.length === 2 ? bulk(args[1]!) : simple("PONG");
      },
    },
    { name: "ECHO", arity: 2, summary: "Answers what it is given", run: (args) => bulk(args[1]!) },
    {
      name: "SELECT",
      arity: 2,
      summary: "There is one database, number 0",
      run(args) {
        if (args[1] === "0") return OK;
        throw new ReplyError("ERR DB index is out of range");
      },
    },
    {
      name: "QUIT",
      arity: -1,
      summary: "Closes the connection",
      forStrangers: true,
      isNeverQueued: true,
      run(_, peer) {
        peer.ends = true;
        return OK;
      },
    },
    {
      name: "RESET",
      arity: 1,
      summary: "Makes the connection as good as new",
      forStrangers: true,
      isNeverQueued: true,
      run(_, peer) {
        forgetAll(peer);
        return simple("RESET");
      },
    },
    {
      name: "AUTH",
      arity: -2,
      summary: "Says who is asking, by a token of the configuration",
      forStrangers: true,
      run(args, peer) {
        if (args.length > 3) throw new ReplyError("ERR syntax error");
        authenticate(args.at(-1)!, peer);
        return OK;
      },
    },
    {
      name: "HELLO",
      arity: -1,
      summary: "Chooses the protocol, and may say who is asking",
      forStrangers: true,
      run: hello,
    },
  ];
}

function protocolOf(text: string): Protocol {
  if (text === "2") return 2;
  if (text === "3") return 3;
  throw /^\d{1,9}$/.test(text)
    ? new ReplyError("NOPROTO unsupported protocol version")
    : new ReplyError("ERR Protocol version is not an integer or out of range");
}
