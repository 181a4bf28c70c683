/** Node's HTTP server, bounded in time and number, which answers with a problem also what it cannot read. */
import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import { Connections } from "./connections.js";
import { KEEP_ALIVE_MS, type Patience } from "./patience.js";
import { PROBLEM_TYPE, ProblemError } from "./problem.js";

export interface NodeServer {
  /** Without a listener for requests. */
  readonly server: Server;
  readonly connections: Connections;
}

export function createNodeServer({ requestMs, checkMs, silenceMs }: Patience): NodeServer {
  const server = createServer({
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    // Otherwise every half minute, and until then nobody notices who is late.
    connectionsCheckingInterval: checkMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    noDelay: true,
    // Asked for where it can be answered with a problem.
    requireHostHeader: false,
  });
  // Who has asked and says no more still wants his answer. Node has it, and its documentation has not.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.setTimeout(silenceMs);
  const connections = new Connections(server);
  server.on("checkExpectation", (_, response) => {
    const problem = new ProblemError(417, 'The one thing that may be expected is "100-continue".');
    response.writeHead(417, headersOf(problem)).end(bodyOf(problem));
  });
  server.on("clientError", (error, socket) => answerUnreadable(error, socket as Socket, connections));
  return { server, connections };
}

/** For what is no request at all, or not in time; behind the answers to what came before it. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket, connections: Connections): void {
  if (error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const problem = problemOf(error);
  connections.afterAnswers(socket, (mayAnswer) => {
    if (mayAnswer && socket.writable) socket.write(textOf(problem));
    socket.destroySoon();
  });
}

function problemOf({ code }: NodeJS.ErrnoException): ProblemError {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new ProblemError(408, "The request did not arrive in time.");
  if (code === "HPE_HEADER_OVERFLOW") {
    return new ProblemError(431, "The address and the headers of a request have at most 16 kB together.");
  }
  return new ProblemError(400, "This is no HTTP request.");
}

function textOf(problem: ProblemError): string {
  const { status, title } = problem.toProblem();
  const headers = Object.entries(headersOf(problem)).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${title}`, ...headers, "", bodyOf(problem)].join("\r\n");
}

function headersOf(problem: ProblemError): Record<string, string> {
  return {
    "Content-Type": PROBLEM_TYPE,
    "Content-Length": String(Buffer.byteLength(bodyOf(problem))),
    "Cache-Control": "no-store",
    Connection: "close",
  };
}

function bodyOf(problem: ProblemError): string {
  return JSON.stringify(problem.toProblem());
}
