/** The gate as a guard and as a decorator of NestJS 10 and 11, on Express or Fastify. */
import { BadOption, shown } from "../../errors.js";
import { createGate } from "../../http/gate/gate.js";
import type { GateLimit, GateOptions } from "../../http/gate/options.js";
import { addGuard, isSkipped, markSkipped } from "./metadata.js";
import { type PlatformRequest, type PlatformResponse, platformAdmission } from "./platform.js";
import type { ExceptionOf } from "./thrown-refusal.js";

export interface NestGateOptions<Request, Response> extends GateOptions<Request, Response> {
  /**
   * Has refusals go through the exception filters: `(status, body) => new HttpException(JSON.parse(body), status)`.
   * When left out, the gate answers by itself.
   */
  readonly exception?: ExceptionOf | undefined;
}

export interface NestContext {
  getType(): string;
  getHandler(): object;
  getClass(): object;
  switchToHttp(): { getRequest<T>(): T; getResponse<T>(): T };
}

export interface NestGuard {
  canActivate(context: NestContext): Promise<boolean>;
}

export type NestDecorator = (place: object, name?: string | symbol, method?: PropertyDescriptor) => void;

/** A guard, for `@UseGuards(gate(…))`, `app.useGlobalGuards(gate(…))` and `{ provide: APP_GUARD, useValue: gate(…) }`. */
export function gate<Request = PlatformRequest, Response = PlatformResponse>(
  limit: GateLimit,
  options?: NestGateOptions<Request, Response>,
): NestGuard {
  return guardAt(undefined, limit, options);
}

/** A gate for a handler, or one for all handlers of a controller. */
export function Gate<Request = PlatformRequest, Response = PlatformResponse>(
  limit: GateLimit,
  options?: NestGateOptions<Request, Response>,
): NestDecorator {
  return (target, _, method) => {
    const place: object = method?.value ?? target;
    addGuard(place, guardAt(place, limit, options));
  };
}

/** For a handler or controller to which the gates further out do not apply: those of the application, or of the controller. */
export function SkipGate(): NestDecorator {
  return (target, _, method) => markSkipped(method?.value ?? target);
}

function guardAt<Request, Response>(
  place: object | undefined,
  limit: GateLimit,
  { exception, ...options }: NestGateOptions<Request, Response> = {},
): NestGuard {
  const admit = platformAdmission(createGate(limit, options), exception);
  return {
    async canActivate(context) {
      if (isSkipped(context.getHandler(), context.getClass(), place)) return true;
      const type = context.getType();
      if (type !== "http") {
        throw new BadOption(
          `A gate guards HTTP handlers, and this one is of type ${shown(type)}. Put @SkipGate() on it.`,
        );
      }
      const http = context.switchToHttp();
      if (await admit(http.getRequest(), http.getResponse())) return true;
      /** To refuse would have NestJS answer a second time. What nobody refers to is collected with the request. */
      return new Promise<never>(() => undefined);
    },
  };
}
