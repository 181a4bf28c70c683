/**
 * A proxy before a language model that counts tokens: as many as an answer may have are reserved, and when it has
 * ended, or its reader has left, what was not used is given back.
 *
 *   node examples/llm-proxy.mjs
 */
import { setTimeout as pause } from "node:timers/promises";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { gate } from "sluice/hono";
import { header } from "sluice/http";

/** Stands for the model: says 50 words, one every few milliseconds, as long as somebody listens. */
function model({ maxTokens }) {
  async function* words() {
    for (let word = 1; word <= Math.min(maxTokens, 50); word += 1) {
      await pause(5);
      yield new TextEncoder().encode(`word${word} `);
    }
  }
  return ReadableStream.from(words());
}

const tokens = gate("user:1000/m", {
  key: "tokens",
  facts: { user: header("x-user") },
  cost: async (context) => (await context.req.json()).maxTokens,
  settle({ aborted }, context) {
    const used = context.get("used") ?? 0; // 0 where the model was never reached
    console.log(`${aborted ? "left early" : "read it all"}: ${used} used`);
    return used;
  },
});

const app = new Hono();
app.post("/chat", tokens, async (context) => {
  const question = await context.req.json();
  context.set("used", question.prompt.split(" ").length);
  const counted = new TransformStream({
    transform(word, answer) {
      context.set("used", context.get("used") + 1);
      answer.enqueue(word);
    },
  });
  return new Response(model(question).pipeThrough(counted));
});

const server = serve({ fetch: app.fetch, port: 0 });

function ask(prompt, maxTokens, signal) {
  return fetch(`http://127.0.0.1:${server.address().port}/chat`, {
    method: "POST",
    headers: { "x-user": "ada" },
    body: JSON.stringify({ prompt, maxTokens }),
    signal,
  });
}

const first = await ask("Tell me a story", 800);
console.log("800 reserved:", first.headers.get("ratelimit"));
console.log("another 800 at the same time:", (await ask("And another", 800)).status);
await first.text();

const leave = new AbortController();
const second = await ask("Tell me a long story", 800, leave.signal);
console.log("800 again, later:", second.headers.get("ratelimit"));
await second.body.getReader().read();
leave.abort();

server.close();
