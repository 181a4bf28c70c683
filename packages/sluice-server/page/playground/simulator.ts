/** The page's side of the worker: the latest question counts, answers to earlier ones are dropped. */
import type { PlaygroundState } from "./state.js";
import type { Answer, Question } from "./worker-messages.js";

export class Simulator {
  private worker: Worker | undefined;
  private number = 0;

  constructor(private readonly onAnswer: (answer: Answer) => void) {}

  ask(state: PlaygroundState): void {
    this.worker ??= this.start();
    this.number += 1;
    this.worker.postMessage({ ...state, number: this.number } satisfies Question);
  }

  private start(): Worker {
    const worker = new Worker(new URL("page/worker.js", document.baseURI), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
      if (data.number === this.number) this.onAnswer(data);
    });
    worker.addEventListener("error", () => {
      const problem = "The simulation does not run in this browser.";
      const { number } = this;
      this.onAnswer({
        number,
        kind: "mistake",
        where: "traffic",
        problem,
        excerpt: undefined,
        suggestion: undefined,
      });
    });
    return worker;
  }
}
