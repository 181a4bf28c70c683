/** What the server says of itself. */

/** Microseconds of processor time so far: of the thread that runs commands, where the server tells it apart. */
export async function serverCpuUs(client) {
  const facts = factsOf(await client.info("cpu"));
  const seconds = (kind) => Number(facts[`used_cpu_${kind}_main_thread`] ?? facts[`used_cpu_${kind}`]);
  return 1e6 * (seconds("user") + seconds("sys"));
}

export async function serverVersion(client) {
  return factsOf(await client.info("server")).redis_version;
}

function factsOf(info) {
  return Object.fromEntries(
    info
      .split("\r\n")
      .filter((line) => line.includes(":"))
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]),
  );
}
