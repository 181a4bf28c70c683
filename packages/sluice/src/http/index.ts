/** The public API of `sluice/http`: the gate that every adapter is made of, for those who write one. */
export { BadAddress, type ClientAddressOptions, clientAddress, NoAddress } from "./client-address.js";
export { createGate, type Gate, type Passage } from "./gate.js";
export type { GateLimit, GateLimiter, GateOptions } from "./gate-options.js";
export { type HeaderFields, type HeaderForm, type HeaderOptions, headersOf } from "./headers.js";
export { mergeHeaders } from "./merge-headers.js";
export type { PolicyNames } from "./policies.js";
export { cookie, type FactReader, firstOf, header, MissingFact, route } from "./readers.js";
export { type OwnRefusal, type Refusal, refusalOf } from "./refusal.js";
export type { HttpRequest, Reader } from "./request.js";
export type { FactsOption } from "./request-facts.js";
export type { SettledResponse } from "./settlement.js";
export type { OnWarning } from "./warnings.js";
