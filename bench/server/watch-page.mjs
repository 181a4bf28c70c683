/** What an open page asks of a server: the events, and every few seconds the identities of a limit. */
const IDENTITIES_EVERY_MS = 3_000;

/** Resolves once it watches; gives a function that closes the page and tells how many seconds it was told of. */
export async function openPage(http) {
  const leaving = new AbortController();
  const { body } = await fetch(`${http}/live/events`, { signal: leaving.signal });
  let events = 0;
  const reading = (async () => {
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      events += chunk.split("event: second").length - 1;
    }
  })().catch(() => {});
  const polling = setInterval(async () => {
    const lists = await fetch(`${http}/live/identities?limit=login`).catch(() => undefined);
    await lists?.text();
  }, IDENTITIES_EVERY_MS);
  return async () => {
    clearInterval(polling);
    leaving.abort();
    await reading;
    return events;
  };
}
