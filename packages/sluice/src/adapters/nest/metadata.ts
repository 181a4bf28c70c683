/** What the decorators for NestJS leave on classes and handlers, and where NestJS itself looks for guards. */
import { BadOption } from "../../errors.js";

/** Of a class or of a handler, each of which is a function. */
type Place = object;

interface Metadata {
  getMetadata?(key: string, place: Place): unknown;
  defineMetadata?(key: string, value: unknown, place: Place): void;
}

/** Where `@UseGuards()` writes, since NestJS 4. */
const GUARDS = "__guards__";
const SKIPPED = "sluice:skipped";

/** As `@UseGuards()` does it: behind those that are there. */
export function addGuard(place: Place, guard: object): void {
  const guards = read(GUARDS, place);
  write(GUARDS, [...(Array.isArray(guards) ? guards : []), guard], place);
}

export function markSkipped(place: Place): void {
  write(SKIPPED, place, place);
}

/**
 * Whether a gate is skipped that stands at a place, or, without one, before the whole application. `@SkipGate()` is
 * for the gates further out: those of the same place count.
 */
export function isSkipped(handler: Place, controller: Place, place: Place | undefined): boolean {
  if (place === handler) return false;
  if (read(SKIPPED, handler) !== undefined) return true;
  const skipped = read(SKIPPED, controller);
  return skipped !== undefined && skipped !== place;
}

function read(key: string, place: Place): unknown {
  return (Reflect as Metadata).getMetadata?.(key, place);
}

function write(key: string, value: unknown, place: Place): void {
  const { defineMetadata } = Reflect as Metadata;
  if (defineMetadata === undefined) {
    throw new BadOption("@Gate and @SkipGate need reflect-metadata, as NestJS does: import it before them.");
  }
  defineMetadata(key, value, place);
}
