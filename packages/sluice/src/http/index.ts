/** The public API of `sluice/http`: the gate that every adapter is made of, for those who write one. */
export { BadAddress, type ClientAddressOptions, clientAddress, NoAddress } from "./address/client-address.js";
export { createGate, type Gate, type Passage } from "./gate/gate.js";
export type { GateLimit, GateLimiter, GateOptions } from "./gate/options.js";
export { cookie, type FactReader, firstOf, header, MissingFact, route } from "./gate/readers.js";
export { type OwnRefusal, type Refusal, refusalOf } from "./gate/refusal.js";
export type { FactsOption } from "./gate/request-facts.js";
export type { SettledResponse } from "./gate/settlement.js";
export { type HeaderFields, type HeaderForm, type HeaderOptions, headersOf } from "./headers/headers.js";
export { mergeHeaders } from "./headers/merge-headers.js";
export type { PolicyNames } from "./headers/policies.js";
export type { HttpRequest, Reader } from "./request.js";
export type { OnWarning } from "./warnings.js";
