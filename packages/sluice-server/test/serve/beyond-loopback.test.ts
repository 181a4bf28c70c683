/** Beyond loopback, a server listens to who has a token, or to everyone where somebody has said so. */
import { expect, test } from "vitest";
import { sluice } from "../cli/sluice-command.js";
import { portOf, Sluice } from "./sluice-process.js";

const REFUSAL =
  "error: Beyond loopback, whoever asks must have a token: name at least one under `tokens` in the configuration, " +
  "or say --open-to-everyone where a network of your own keeps strangers out.\n";

test("without tokens it does not listen there", async () => {
  const outcome = await sluice(["serve", "--resp", "127.0.0.1:0", "--http", "0.0.0.0:0"]);
  expect(outcome).toEqual({ code: 2, out: "", err: REFUSAL });
});

const EVERYWHERE = ["--resp", "0.0.0.0:0", "--http", "[::]:0", "--json"];

async function listening(server: Sluice): Promise<void> {
  await server.printed("\n");
  const { resp, http } = JSON.parse(server.out);
  server.respPort = portOf(resp);
  server.httpPort = portOf(http);
}

test("with tokens it listens everywhere, to who knows one", async () => {
  const config = "tokens: [a-long-random-text]\nlimits: { all: 5/m }";
  await using server = new Sluice({ config, args: EVERYWHERE });
  await listening(server);
  expect(await server.ask("SLUICE.CONSUME", "all")).toEqual(new Error("NOAUTH Authentication required."));
  expect((await server.post("/v1/limits/all/consume", {})).status).toBe(401);
  expect((await server.fetch("/healthz")).status).toBe(200);
  const headers = { Authorization: "Bearer a-long-random-text" };
  expect((await server.post("/v1/limits/all/consume", {}, headers)).status).toBe(200);
});

test("with --open-to-everyone it listens everywhere, to everyone", async () => {
  const config = "limits: { all: 5/m }";
  await using server = new Sluice({ config, args: [...EVERYWHERE, "--open-to-everyone"] });
  await listening(server);
  expect(await server.ask("SLUICE.CONSUME", "all")).toEqual([1, 4, 0, 60_000, []]);
  expect((await server.post("/v1/limits/all/consume", {})).status).toBe(200);
});
