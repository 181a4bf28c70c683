/** Node's own http, without a framework. */
import { createServer } from "node:http";
import { gate } from "../../../src/adapters/node/node.js";
import { type AppUnderTest, listening, type Setup, writeReply } from "../app.js";

type Handler = (
  request: import("node:http").IncomingMessage,
  response: import("node:http").ServerResponse,
) => void;

function onNode({ gates, handle, onError, host }: Setup) {
  const innermost: Handler = async (_request, response) => {
    try {
      await writeReply(response, await handle());
    } catch (error) {
      onError(error);
      response.writeHead(500).end();
    }
  };
  const handler = gates.reduceRight<Handler>(
    (inner, { limit, options }) => gate(limit, { onError, ...options })(inner),
    innermost,
  );
  return listening(createServer(handler), host);
}

export const NODE: readonly AppUnderTest[] = [{ name: "node", start: onNode }];
