/** The gate: a request comes, its facts are decided on, and it passes with headers or is refused with a response. */
import type { Decision } from "../../decision/decision.js";
import { BadOption } from "../../errors.js";
import type { Facts } from "../../plan/facts.js";
import type { Answer } from "../../store/store.js";
import { clientAddress } from "../address/client-address.js";
import { type HeaderFields, headerWriter } from "../headers/headers.js";
import type { HttpRequest } from "../request.js";
import { warnOnce } from "../warnings.js";
import { limiterOf } from "./limiter.js";
import { checkGateOptions, type GateLimit, type GateOptions } from "./options.js";
import { type Refusal, refusalBy, refusalFor, withOwn } from "./refusal.js";
import { factsReader, isWaitedFor } from "./request-facts.js";
import { type Settle, settlements } from "./settlement.js";

export interface Gate<Native = unknown, NativeResponse = unknown> {
  /** Answers at once where the store does. */
  enter(native: Native, request: HttpRequest): Answer<Passage<NativeResponse>>;
}

export type Passage<NativeResponse = unknown> = Passed<NativeResponse> | Refused;

export interface Passed<NativeResponse = unknown> {
  readonly pass: true;
  /** To be set on the response, merged with what it has. */
  readonly headers: HeaderFields;
  /** To be called when the response has ended, in whatever way; undefined where there is nothing to settle. */
  readonly settle: Settle<NativeResponse> | undefined;
  /** Undefined where nobody was asked. */
  readonly decision: Decision | undefined;
}

export interface Refused {
  readonly pass: false;
  readonly refusal: Refusal;
  /** Undefined where the request could not be counted. */
  readonly decision: Decision | undefined;
}

const NO_HEADERS: HeaderFields = {};
const UNSEEN: Passed = { pass: true, headers: NO_HEADERS, settle: undefined, decision: undefined };

export function createGate<Native = unknown, NativeResponse = unknown>(
  limit: GateLimit,
  options: GateOptions<Native, NativeResponse> = {},
): Gate<Native, NativeResponse> {
  checkGateOptions(options);
  const { limiter, consume, needed } = limiterOf(limit, options);
  const { settle, skip, refuse, onDecision, onRefused, onError, countRefused } = options;
  const warn = warnOnce(options.onWarning);
  const writer = headerWriter(options);
  const readFacts = factsReader({ facts: options.facts, ip: addressOf(options), needed });
  const reserve = settle && settlements({ limiter, settle, onError, warn });
  /** The limiter's own cost is not known here, and what is reserved must be. */
  const usualCost = options.cost ?? (settle === undefined ? undefined : 1);

  /** In shadow mode, clients see nothing of it, unless the headers are asked for. */
  function headersFor(decision: Decision): HeaderFields {
    const unseen = decision.shadow !== undefined && options.headers === undefined;
    return unseen ? NO_HEADERS : writer.fieldsOf(decision);
  }

  /** What a shadow limiter would refuse has cost nothing and will not; what a failure policy let in, nothing yet. */
  function settleFor(native: Native, facts: Facts, decision: Decision, cost: number) {
    if (reserve === undefined) return undefined;
    const { shadow, policy } = decision;
    if (cost > 0 && shadow !== undefined && !shadow.allowed && countRefused !== true) return undefined;
    return reserve({ facts, native, decision, reserved: policy === "allow" ? 0 : cost });
  }

  /** Nothing is taken, so that there is nothing to refuse; the headers tell how the limits stand. */
  async function passFree(native: Native, facts: Facts): Promise<Passed<NativeResponse>> {
    if (options.headers === false && reserve === undefined) return UNSEEN;
    const decision = { ...(await limiter.peek(facts)), allowed: true, retryAfterMs: 0, refusedBy: [] };
    return {
      pass: true,
      headers: headersFor(decision),
      settle: settleFor(native, facts, decision, 0),
      decision,
    };
  }

  function refused(
    refusal: Refusal,
    native: Native,
    decision: Decision | undefined,
  ): Answer<Passage<NativeResponse>> {
    const own = refuse?.(refusal, native, decision);
    if (!isWaitedFor(own)) return { pass: false, refusal: withOwn(refusal, own), decision };
    return Promise.resolve(own).then((late) => ({ pass: false, refusal: withOwn(refusal, late), decision }));
  }

  /** What could not be counted is refused, if that is the doing of who sent it. */
  function uncounted(error: unknown, native: Native): Answer<Passage<NativeResponse>> {
    const refusal = refusalFor(error);
    if (refusal === undefined) throw error;
    return refused(refusal, native, undefined);
  }

  function decided(
    native: Native,
    facts: Facts,
    cost: number,
    decision: Decision,
  ): Answer<Passage<NativeResponse>> {
    onDecision?.(decision, native);
    if (decision.allowed) {
      const headers = headersFor(decision);
      return { pass: true, headers, settle: settleFor(native, facts, decision, cost), decision };
    }
    onRefused?.(decision, native);
    return refused(refusalBy(writer, decision), native, decision);
  }

  /** Waits for nothing that is there already: each turn of promises is one that a busy server feels. */
  function enterAtOnce(
    native: Native,
    request: HttpRequest,
    cost: number | undefined,
  ): Answer<Passage<NativeResponse>> {
    let facts: Facts | PromiseLike<Facts>;
    let decision: Answer<Decision>;
    try {
      facts = readFacts(native, request);
      if (isWaitedFor(facts)) return enterInTurn(native, request, facts);
      decision = consume(facts, cost);
    } catch (error) {
      return uncounted(error, native);
    }
    const known = facts;
    return decision instanceof Promise
      ? decision.then(
          (late) => decided(native, known, cost ?? 1, late),
          (error) => uncounted(error, native),
        )
      : decided(native, known, cost ?? 1, decision);
  }

  /** One after the other, since each function may make one wait. */
  async function enterInTurn(
    native: Native,
    request: HttpRequest,
    begun?: PromiseLike<Facts>,
  ): Promise<Passage<NativeResponse>> {
    if (skip !== undefined && (await skip(native, request))) return UNSEEN;
    let facts: Facts;
    let cost: number | undefined;
    let decision: Decision;
    try {
      facts = await (begun ?? readFacts(native, request));
      cost = typeof usualCost === "function" ? await usualCost(native, request) : usualCost;
      if (cost === 0) return await passFree(native, facts);
      decision = await consume(facts, cost);
    } catch (error) {
      return uncounted(error, native);
    }
    return decided(native, facts, cost ?? 1, decision);
  }

  if (skip !== undefined || typeof usualCost === "function") {
    return { enter: (native, request) => enterInTurn(native, request) };
  }
  return { enter: (native, request) => enterAtOnce(native, request, usualCost) };
}

function addressOf<Native, Response>(options: GateOptions<Native, Response>) {
  const { facts, trust, proxyHeader, ipv6Prefix, onWarning } = options;
  const own = typeof facts === "object" && facts !== null && Object.hasOwn(facts, "ip");
  if (own && (trust ?? proxyHeader ?? ipv6Prefix) !== undefined) {
    throw new BadOption(
      "trust, proxyHeader and ipv6Prefix are for the address that the gate reads, and facts give another ip. " +
        "Use ip: clientAddress({ trust: … }) there, or leave it out.",
    );
  }
  return clientAddress({ trust, proxyHeader, ipv6Prefix, onWarning });
}
