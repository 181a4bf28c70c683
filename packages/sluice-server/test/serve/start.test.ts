/** What `sluice serve` starts with: defaults, the sample, and the store that counts. */
import { expect, inject, test } from "vitest";
import { SluiceProcess, type StartOptions, startSluice } from "./sluice-process.js";

test("without a configuration there are the sample limits, in memory, and SIGHUP does no harm", async () => {
  await using sluice = new SluiceProcess();
  await sluice.printed("Stop with Ctrl+C.\n");
  expect(sluice.out).toMatch(
    /^Sluice is listening: Redis clients at 127\.0\.0\.1:\d+, HTTP at http:\/\/127\.0\.0\.1:\d+; counting in memory\.\n/,
  );
  for (const name of ["login", "api", "search"]) expect(sluice.out).toMatch(RegExp(`^  ${name} +\\S`, "m"));
  expect(sluice.err).toBe("");
  sluice.signal("SIGHUP");
  expect(await sluice.heard("read again")).toMatchObject({ added: [], removed: [], changed: [] });
});

/** They may be taken on this machine, which is then said. */
test("without addresses these are the usual ones", async () => {
  await using sluice = new SluiceProcess({ args: ["--json"] });
  await Promise.race([sluice.printed("\n"), sluice.ended]);
  expect(sluice.out + sluice.err).toMatch(
    /^\{"resp":"127\.0\.0\.1:6380","http":"127\.0\.0\.1:8080","store":"memory"\}\n$|127\.0\.0\.1:(6380|8080) is taken/,
  );
});

const { host, port } = inject("servers").single;
const SHARED = `redis://${host}:${port}`;
const AWAY = "redis://127.0.0.1:1";
const WITH_OPTIONS = `store: { url: "${AWAY}", deadlineMs: 100, onFailure: deny }`;

test.each<[string, StartOptions, string]>([
  [
    "SLUICE_STORE, over the configuration's",
    { config: "store: memory", env: { SLUICE_STORE: SHARED } },
    SHARED,
  ],
  [
    "--store, over both",
    { config: `store: ${AWAY}`, env: { SLUICE_STORE: AWAY }, args: ["--store", SHARED] },
    SHARED,
  ],
  ["memory, over a Redis with options", { config: WITH_OPTIONS, args: ["--store", "memory"] }, "memory"],
])("the store is %s", async (_, options, store) => {
  await using sluice = await startSluice(options);
  expect(JSON.parse(sluice.out)).toMatchObject({ store });
  const isMemory = store === "memory";
  if (!isMemory) await sluice.heard("the store answers");
  const readiness = await (await sluice.fetch("/readyz")).json();
  expect(readiness).toEqual({ status: "ready", store: isMemory ? "memory" : "answers" });
  expect(await sluice.ask("SLUICE.LIMITS")).toEqual([]);
  const asked = await sluice.ask("RATELIMIT", `by ${sluice.pid}`, "1000000000", "5000000000");
  expect(asked).toEqual([1, 4, 0, 1_000_000_000]);
});
