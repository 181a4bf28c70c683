/** Says how far a run is: one line that updates on a terminal, plain lines elsewhere. */
export function createProgress(total, stream = process.stderr) {
  const started = performance.now();
  let done = 0;
  return {
    step(what) {
      const seconds = Math.round((performance.now() - started) / 1000);
      const line = `[${done}/${total}, ${seconds} s] ${what}`;
      stream.write(stream.isTTY ? `\r\x1b[K${line.slice(0, stream.columns - 1)}` : `${line}\n`);
      done += 1;
    },
    end() {
      if (stream.isTTY) stream.write("\r\x1b[K");
    },
  };
}
