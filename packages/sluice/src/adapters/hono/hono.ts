/** The gate as a middleware of Hono 4: `app.use(gate("ip:100/m"))`. */

import { knownAddress, type RuntimeAddress } from "../../http/address/runtime-address.js";
import { createGate } from "../../http/gate/gate.js";
import type { GateLimit, GateOptions } from "../../http/gate/options.js";
import { answerThrough } from "../fetch/answer.js";
import { fetchRequest } from "../fetch/request.js";
import { withHeaders } from "../fetch/response.js";
import { type HonoContext, nodeAddress, replaceResponse, routeBehind } from "./context.js";

export interface HonoGateOptions<Context extends HonoContext> extends GateOptions<Context, Context["res"]> {
  /** The address of the socket's peer; when left out, what @hono/node-server gives. */
  readonly address?: ((context: Context) => RuntimeAddress) | undefined;
}

export type HonoGate<Context> = (context: Context, next: () => Promise<void>) => Promise<void>;

const EXAMPLE =
  'address: (c) => getConnInfo(c).remote.address, with the getConnInfo of "hono/bun" or another';

export function gate<Context extends HonoContext = HonoContext>(
  limit: GateLimit,
  options: HonoGateOptions<Context> = {},
): HonoGate<Context> {
  const { address = nodeAddress, ...gateOptions } = options;
  const { enter } = createGate(limit, gateOptions);
  return async (context, next) => {
    const { raw } = context.req;
    const request = fetchRequest(raw, {
      address: () => knownAddress(address(context), options, EXAMPLE),
      route: () => routeBehind(context),
    });
    const passage = await enter(context, request);
    if (!passage.pass) {
      const { status, headers, body } = passage.refusal;
      context.res = context.newResponse(body, status as never);
      return replaceResponse(context, withHeaders(context.res, headers));
    }
    const response = await answerThrough(passage, raw, () => next().then(() => context.res));
    replaceResponse(context, response);
  };
}
