/** The gate as a middleware of tRPC 11: `t.procedure.use(gate("user:100/m", { facts: { user: ({ ctx }) => ctx.user } }))`. */

import { knownAddress, type RuntimeAddress } from "../../http/address/runtime-address.js";
import { createGate } from "../../http/gate/gate.js";
import type { GateLimit, GateOptions } from "../../http/gate/options.js";
import { setHeaders, type TrpcCall, type TrpcHttp, trpcRequest } from "./call.js";
import { RefusedCall, statusOf, type TrpcResult } from "./error.js";

export interface TrpcGateOptions<Context, Input> extends GateOptions<TrpcCall<Context, Input>, TrpcResult> {
  /**
   * The HTTP request and response behind a call, for addresses and headers: `({ ctx }) => ctx`, where `createContext`
   * has kept `req` and `res`, or `req` and `resHeaders`.
   */
  readonly http?: ((call: TrpcCall<Context, Input>) => TrpcHttp | undefined) | undefined;
  /** The address of the socket's peer; that of `http` when left out. */
  readonly address?: ((call: TrpcCall<Context, Input>) => RuntimeAddress) | undefined;
}

/** A refusal is thrown as an error with the code TOO_MANY_REQUESTS. Settles when the procedure has answered. */
export type TrpcGate<Context, Input> = <Result extends TrpcResult>(
  call: TrpcCall<Context, Input> & { next(): Promise<Result> },
) => Promise<Result>;

const NO_HTTP: TrpcHttp = {};
const EXAMPLE = "http: ({ ctx }) => ctx, with the request as ctx.req, or address: ({ ctx }) => ctx.address";

export function gate<Context = unknown, Input = unknown>(
  limit: GateLimit,
  options: TrpcGateOptions<Context, Input> = {},
): TrpcGate<Context, Input> {
  const { http, address, ...gateOptions } = options;
  const { enter } = createGate(limit, gateOptions);
  return async (call) => {
    const behind = http?.(call) ?? NO_HTTP;
    const request = trpcRequest(call, behind, (socket) =>
      knownAddress(address === undefined ? socket : address(call), options, EXAMPLE),
    );
    const passage = await enter(call, request);
    setHeaders(behind, passage.pass ? passage.headers : passage.refusal.headers);
    if (!passage.pass) throw new RefusedCall(passage);
    const result = await call.next();
    void passage.settle?.({
      status: statusOf(result),
      aborted: call.signal?.aborted ?? false,
      native: result,
    });
    return result;
  };
}
