/** The playground's worker: plays in the background, so that the page never stands still. */
import { play } from "./play.js";
import type { Answer, Question } from "./worker-messages.js";

let latest = 0;

addEventListener("message", async ({ data: { number, ...state } }: MessageEvent<Question>) => {
  latest = number;
  for await (const part of play(state)) {
    if (number !== latest) return;
    postMessage({ number, ...part } satisfies Answer);
    await nextTurn();
  }
});

/** Lets a later question come in. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
