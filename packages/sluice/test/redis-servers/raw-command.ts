/** Sends commands on a connection of their own, so that a test can speak to a server without a client library. */
import { connect } from "node:net";
import { HOST } from "./free-port.js";
import { decode, encode } from "./resp.js";

/** Long enough for a busy machine, short enough that a paused server fails a test by a clear error. */
const TIMEOUT_MS = 5_000;

/** The reply to the last of the commands; an error reply to any of them is thrown. */
export async function rawCommand(port: number, commands: readonly (readonly string[])[]): Promise<unknown> {
  const target = `${commands.at(-1)?.[0]} to the server on port ${port}`;
  const socket = connect(port, HOST);
  socket.setTimeout(TIMEOUT_MS, () =>
    socket.destroy(new Error(`${target} had no reply within ${TIMEOUT_MS} ms.`)),
  );
  socket.write(commands.map(encode).join(""));
  let received = Buffer.alloc(0);
  let replies = 0;
  // Leaving the loop destroys the socket.
  for await (const bytes of socket) {
    received = Buffer.concat([received, bytes]);
    for (let reply = decode(received); reply !== undefined; reply = decode(received)) {
      if (reply.value instanceof Error) throw reply.value;
      if (++replies === commands.length) return reply.value;
      received = received.subarray(reply.end);
    }
  }
  throw new Error(`${target} had no reply before the connection was closed.`);
}
