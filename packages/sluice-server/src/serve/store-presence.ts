/** Whether the store answers, said once each time that changes, however often it is tried meanwhile. */
import type { PlanVerdict } from "sluice";
import type { StoreUnavailable } from "sluice/redis";
import type { Log } from "../log.js";
import type { OpenedStore } from "../store/open-store.js";

export interface StorePresence {
  readonly state: "memory" | "answers" | "away";
  connected(): void;
  connectionFailed(error: Error): void;
  callFailed(error: StoreUnavailable): void;
  /** To be told who decided, since a connection may be there all along and nobody at its other end. */
  decided(verdict: Pick<PlanVerdict, "source">): void;
}

/** `opened` is asked for later, since a store tells of itself from the moment it is opened. */
export function createPresence(name: string, opened: () => OpenedStore, log: Log): StorePresence {
  let answers: boolean | undefined;

  function found(): void {
    if (answers !== true) log.info({ store: name }, "the store answers");
    answers = true;
  }

  function lost(reason: string): void {
    if (answers !== false) log.warn({ store: name, reason }, "the store is away");
    answers = false;
  }

  /** One call may be late; several in a row open the breaker. */
  function isGivenUp(): boolean {
    const store = opened();
    return store.kind === "redis" && store.store.health().breaker !== "closed";
  }

  return {
    get state() {
      if (opened().kind === "memory") return "memory";
      return answers === true ? "answers" : "away";
    },
    connected: found,
    connectionFailed: ({ message }) => lost(message),
    callFailed({ reason, message }) {
      const wasTried = reason === "deadline" || reason === "refused";
      if (answers !== false && wasTried && isGivenUp()) lost(message);
    },
    decided({ source }) {
      if (answers === false && source === "store" && !isGivenUp()) found();
    },
  };
}
