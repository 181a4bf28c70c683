/** The gate around any handler from Request to Response: Next.js, Bun, Deno, Workers. */

import { knownAddress, type RuntimeAddress } from "../../http/address/runtime-address.js";
import { createGate } from "../../http/gate/gate.js";
import type { GateLimit, GateOptions } from "../../http/gate/options.js";
import { answerThrough } from "./answer.js";
import { type FetchRequest, fetchRequest } from "./request.js";
import { type FetchResponse, responseOf } from "./response.js";

export interface FetchGateOptions<Request, Rest extends readonly unknown[], Response>
  extends GateOptions<Request, Response> {
  /**
   * The address of the socket's peer, which each runtime has elsewhere:
   * - Bun: `(request, server) => server.requestIP(request)?.address`
   * - Deno: `(request, info) => info.remoteAddr.hostname`
   * - Workers: `(request) => request.headers.get("cf-connecting-ip")`
   * - Next.js, and whatever is behind the proxy of its platform: leave it out, and say `trust: 1`.
   */
  readonly address?: ((request: Request, ...rest: Rest) => RuntimeAddress) | undefined;
}

/** A handler may return nothing where it has upgraded the connection. */
export type FetchGate<Request, Rest extends readonly unknown[], Response> = <
  Req extends Request,
  Others extends Rest,
  Res extends Response | undefined,
>(
  handler: (request: Req, ...rest: Others) => Res | PromiseLike<Res>,
) => (request: Req, ...rest: Others) => Promise<Res>;

const EXAMPLE = "address: (request, server) => server.requestIP(request)?.address";

export function gate<
  Request extends FetchRequest = FetchRequest,
  Rest extends readonly unknown[] = readonly unknown[],
  Response extends FetchResponse = FetchResponse,
>(
  limit: GateLimit,
  options: FetchGateOptions<Request, Rest, Response> = {},
): FetchGate<Request, Rest, Response> {
  const { address, ...gateOptions } = options;
  const { enter } = createGate(limit, gateOptions);
  return (handler) =>
    async (request, ...rest) => {
      const addressOf = () => knownAddress(address?.(request, ...rest), options, EXAMPLE);
      const passage = await enter(request, fetchRequest(request, { address: addressOf }));
      if (!passage.pass) return responseOf(passage.refusal, request.method) as never;
      return answerThrough(passage, request, () => handler(request, ...rest));
    };
}
