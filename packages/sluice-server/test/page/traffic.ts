/** Requests to a running server, as its clients send them. */
import { setTimeout } from "node:timers/promises";
import { RawClient } from "../resp/raw-client.js";
import type { Sluice } from "../serve/sluice-process.js";

/** Asks so many times, in one go. */
export async function consume(server: Sluice, times: number, ...command: readonly string[]): Promise<void> {
  using client = new RawClient(server.respPort);
  for (let time = 0; time < times; time += 1) await client.ask(...command);
}

/** Asks again and again until it is disposed of. */
export function steadily(server: Sluice, ...command: readonly string[]): AsyncDisposable {
  const client = new RawClient(server.respPort);
  let isOn = true;
  const done = (async () => {
    while (isOn) {
      await client.ask(...command);
      await setTimeout(20);
    }
  })().catch(() => {});
  return {
    async [Symbol.asyncDispose]() {
      isOn = false;
      await done;
      client.close();
    },
  };
}

/** The sum of the samples of a metric with these labels. */
export async function metric(server: Sluice, name: string, ...labels: readonly string[]): Promise<number> {
  const text = await (await server.fetch("/metrics")).text();
  const lines = text.split("\n").filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  const found = lines.filter((line) => labels.every((label) => line.includes(label)));
  return found.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
}
