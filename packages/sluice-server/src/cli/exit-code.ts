/** How a command ends, and what is said when it does not end well. */
import { CommanderError } from "commander";
import { SluiceError } from "sluice";
import { StoreUnavailable } from "sluice/redis";
import { TrafficError } from "../simulate/traffic.js";
import { StoreUrlError } from "../store/store-url.js";
import { UsageError } from "../usage-error.js";

export const EXIT = {
  /** Allowed, or done. */
  ok: 0,
  /** Refused, or mistakes found. */
  refused: 1,
  usage: 2,
  storeUnavailable: 3,
  /** A fault of ours. */
  fault: 70,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface Failure {
  readonly exitCode: ExitCode;
  /** Stable, for programs. */
  readonly code: string;
  readonly message: string;
}

/** The store that was named cannot be asked. */
export class StoreAway extends Error {
  override readonly name = "StoreAway";
}

export function failureOf(error: unknown): Failure {
  if (error instanceof StoreAway) return failure(EXIT.storeUnavailable, "STORE_UNAVAILABLE", error);
  if (error instanceof StoreUnavailable) return failure(EXIT.storeUnavailable, "STORE_UNAVAILABLE", error);
  if (error instanceof StoreUrlError) return failure(EXIT.usage, "BAD_STORE", error);
  if (error instanceof TrafficError) return failure(EXIT.usage, "BAD_TRAFFIC", error);
  if (error instanceof SluiceError) return failure(EXIT.usage, error.code.replace("SLUICE_", ""), error);
  if (error instanceof UsageError) return failure(EXIT.usage, "USAGE", error);
  if (error instanceof CommanderError) return failure(EXIT.usage, "USAGE", error);
  const message = error instanceof Error ? error.message : String(error);
  return { exitCode: EXIT.fault, code: "FAULT", message: `This should not have happened: ${message}` };
}

function failure(exitCode: ExitCode, code: string, { message }: Error): Failure {
  return { exitCode, code, message };
}
