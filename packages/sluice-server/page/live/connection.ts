/** Keeps up one stream of live messages: reads it, notices when it is silent, and connects again. */
import type { Hello, Second } from "../../src/live/live-messages.js";
import { RefusedByServer, TokenNeeded } from "../server/failures.js";
import { eventReader } from "./event-stream.js";
import { pauseAfter } from "./pause.js";

export type ConnectionState =
  | { readonly kind: "connecting" | "live" | "paused" | "needs token" }
  | { readonly kind: "waiting"; readonly pauseMs: number; readonly why: string };

export interface ConnectionOptions {
  readonly open: (signal: AbortSignal) => Promise<Response>;
  readonly onHello: (hello: Hello) => void;
  readonly onSecond: (second: Second) => void;
  readonly onState: (state: ConnectionState) => void;
  readonly random?: () => number;
}

/** The server speaks every second; so long without a word, and the line is dead. */
const SILENCE_MS = 10_000;

export class LiveConnection {
  private running: AbortController | undefined;
  private failures = 0;

  constructor(private readonly options: ConnectionOptions) {}

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** Again from the start of a pause, where one is under way. */
  start(): void {
    this.running?.abort();
    this.running = new AbortController();
    void this.keepUp(this.running.signal);
  }

  stop(state: "paused" | "needs token"): void {
    this.running?.abort();
    this.running = undefined;
    this.options.onState({ kind: state });
  }

  private async keepUp(signal: AbortSignal): Promise<void> {
    const { onState, random = Math.random } = this.options;
    while (!signal.aborted) {
      onState({ kind: "connecting" });
      const failure = await this.readOnce(signal).catch((error: unknown) => error);
      if (signal.aborted) return;
      if (failure instanceof TokenNeeded) return this.stop("needs token");
      const told = failure instanceof RefusedByServer ? failure.retryAfterMs : 0;
      const pauseMs = Math.max(told, pauseAfter(this.failures, random()));
      this.failures += 1;
      onState({ kind: "waiting", pauseMs, why: reasonOf(failure) });
      await pause(pauseMs, signal);
    }
  }

  /** Until the stream ends, fails or falls silent. */
  private async readOnce(stopped: AbortSignal): Promise<void> {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      const signal = AbortSignal.any([stopped, silence.signal]);
      const { body } = await this.options.open(signal);
      if (body === null) return;
      const decoder = new TextDecoder();
      const read = eventReader(({ name, data }) => this.take(name, data));
      for (const reader = body.getReader(); ; ) {
        const { done, value } = await reader.read();
        if (done || stopped.aborted) return;
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
        read(decoder.decode(value, { stream: true }));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  private take(name: string, data: string): void {
    if (name === "hello") {
      this.failures = 0;
      this.options.onState({ kind: "live" });
      this.options.onHello(JSON.parse(data) as Hello);
    } else if (name === "second") {
      this.options.onSecond(JSON.parse(data) as Second);
    }
  }
}

function reasonOf(failure: unknown): string {
  return failure instanceof RefusedByServer ? failure.message : "The server does not answer.";
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
  });
}
