/** A response of Node's http, https or http2, as the gate writes to it. */
import type { ResponseKind } from "./admission.js";
import type { EndingResponse } from "./response-end.js";

export interface NodeResponse extends EndingResponse {
  statusCode: number;
  readonly headersSent: boolean;
  getHeader(name: string): unknown;
  setHeader(name: string, value: string): unknown;
  end(): unknown;
  end(body: string): unknown;
}

export const NODE_RESPONSE: ResponseKind<NodeResponse> = {
  isSent: (response) => response.headersSent,
  header: (response, name) => response.getHeader(name),
  setHeader: (response, name, value) => response.setHeader(name, value),
  send(response, status, body) {
    response.statusCode = status;
    response.end(body);
  },
  ending: (response) => response,
};
