/** Processes of their own that share limits: started once, and told what to consume run by run. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Servers } from "../redis-servers/clients.js";

export interface Task {
  readonly namespace: string;
  readonly rule: string;
  readonly options?: { readonly countRefused?: boolean };
  readonly requests: number;
  readonly cost?: number;
  /** Used in rotation. */
  readonly facts?: readonly Readonly<Record<string, string>>[];
}

export interface TaskOutcome {
  /** How many, for each of the facts. */
  readonly admitted: readonly number[];
  /** Of each request, in order. */
  readonly retryAfterMs: readonly number[];
}

export interface Worker {
  run(task: Task): Promise<TaskOutcome>;
  /** What its own clock says, in milliseconds. */
  now(): Promise<number>;
  stop(): void;
}

export type WorkerServers = Pick<Servers, "single"> | Pick<Servers, "cluster">;

interface Message {
  readonly ready?: true;
  readonly id?: number;
  readonly outcome?: unknown;
  readonly failure?: string;
}

const PROGRAM = fileURLToPath(new URL("worker.mjs", import.meta.url));

/** `preload` is a module that the process imports before anything else. */
export async function startWorker(servers: WorkerServers, preload?: URL): Promise<Worker> {
  const execArgv = preload === undefined ? [] : ["--import", preload.href];
  const child = fork(PROGRAM, [JSON.stringify(servers)], { execArgv });
  await nextMessage(child, ({ ready }) => ready === true);
  let asked = 0;
  async function ask(task?: Task): Promise<unknown> {
    asked += 1;
    const id = asked;
    child.send({ id, task });
    const { outcome, failure } = await nextMessage(child, (message) => message.id === id);
    if (outcome === undefined) throw new Error(`The worker failed: ${failure}`);
    return outcome;
  }
  return {
    run: async (task) => (await ask({ cost: 1, facts: [{}], ...task })) as TaskOutcome,
    now: async () => ((await ask()) as { readonly now: number }).now,
    stop: () => child.disconnect(),
  };
}

export function startWorkers(count: number, servers: WorkerServers): Promise<readonly Worker[]> {
  return Promise.all(Array.from({ length: count }, () => startWorker(servers)));
}

/** What each worker admitted in all, of what each was told to ask at the same time. */
export async function admittedByEach(
  workers: readonly Worker[],
  taskOf: (worker: number) => Task,
): Promise<readonly number[]> {
  const outcomes = await Promise.all(workers.map((worker, index) => worker.run(taskOf(index))));
  return outcomes.map(({ admitted }) => sumOf(admitted));
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function nextMessage(child: ChildProcess, wanted: (message: Message) => boolean): Promise<Message> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      child.off("message", onMessage);
      child.off("exit", onExit);
      act();
    };
    const onMessage = (message: Message) => {
      if (wanted(message)) settle(() => resolve(message));
    };
    const onExit = (code: number | null) =>
      settle(() => reject(new Error(`The worker ended with code ${code}.`)));
    child.on("message", onMessage);
    child.on("exit", onExit);
  });
}
