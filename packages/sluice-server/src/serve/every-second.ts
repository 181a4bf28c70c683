/** Calls back as each second begins, with the instant in milliseconds since the epoch. */

/** Ends when the function it gives is called. The clock decides, so that no second is counted twice or left out. */
export function everySecond(tick: (nowMs: number) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let last = Math.floor(Date.now() / 1000);
  function wait(): void {
    timer = setTimeout(ring, 1000 - (Date.now() % 1000));
    timer.unref();
  }
  function ring(): void {
    const second = Math.floor(Date.now() / 1000);
    if (second !== last) tick(second * 1000);
    last = second;
    wait();
  }
  wait();
  return () => clearTimeout(timer);
}
