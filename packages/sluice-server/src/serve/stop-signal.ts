/** Waits to be told to stop. */
import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
/** As shells tell of a process that a signal has ended. */
const ENDED_BY_SIGNAL = 128;

/** Resolves with the first signal; a second one ends the process where it stands. */
export function toldToStop(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let wasTold = false;
    for (const name of SIGNALS) {
      process.on(name, () => {
        if (wasTold) process.exit(ENDED_BY_SIGNAL + constants.signals[name]);
        wasTold = true;
        resolve(name);
      });
    }
  });
}
