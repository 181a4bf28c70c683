/** The load: connections that stay open, each with one request under way, over plain sockets, which cost least. */
import { connect } from "node:net";

const REQUEST = Buffer.from("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n");
const HEAD_END = "\r\n\r\n";

/** Asks until it is stopped. Any other status than the expected one ends the run. */
export async function startLoad({ port, connections, status }) {
  let answers = 0;
  let awaited = Number.POSITIVE_INFINITY;
  let reached = () => undefined;
  const expected = `HTTP/1.1 ${status} `;
  const opened = Array.from({ length: connections }, () => open(port));
  const sockets = await Promise.all(opened);
  for (const socket of sockets) {
    let pending = "";
    socket.on("data", (bytes) => {
      pending += bytes.latin1Slice();
      const length = lengthOf(pending);
      if (length === undefined || pending.length < length) return;
      if (!pending.startsWith(expected) || pending.length > length) throw unexpected(pending);
      pending = "";
      answers += 1;
      socket.write(REQUEST);
      if (answers >= awaited) reached();
    });
    socket.once("close", () => {
      if (!socket.isStopped) throw new Error("The server closed a connection.");
    });
    socket.write(REQUEST);
  }
  return {
    answers: () => answers,
    /** When so many more have been answered. */
    answered(more) {
      awaited = answers + more;
      return new Promise((resolve) => {
        reached = resolve;
      });
    },
    stop() {
      for (const socket of sockets) {
        socket.isStopped = true;
        socket.destroy();
      }
    },
  };
}

function open(port) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => resolve(socket));
    socket.once("error", reject);
  });
}

/** Of a whole answer, once its head is there. */
function lengthOf(text) {
  const end = text.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const field = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end + 2));
  if (field === null) throw unexpected(text);
  return end + HEAD_END.length + Number(field[1]);
}

function unexpected(text) {
  return new Error(`An answer that was not expected:\n${text}`);
}
