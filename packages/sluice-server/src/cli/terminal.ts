/** Where a command writes, and what can be shown there. */

export interface Terminal {
  /** A result, to standard output. */
  out(text: string): void;
  /** A word to the user, to standard error. */
  err(text: string): void;
  readonly width: number;
  readonly unicode: boolean;
  readonly colour: boolean;
  /** A line that is written over by the next; nothing where nobody watches. */
  progress(text: string): void;
  /** Takes the line away. */
  endProgress(): void;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const USUAL_WIDTH = 80;
const NARROWEST = 40;
const WIDEST = 200;
const CLEAR_LINE = "\r\u001b[2K";

export function terminalOn(stdout: Stream, stderr: Stream, environment: Environment): Terminal {
  const isSmart = environment["TERM"] !== "dumb";
  let isDirty = false;
  function endProgress(): void {
    if (isDirty) stderr.write(CLEAR_LINE);
    isDirty = false;
  }
  return {
    out(text) {
      endProgress();
      stdout.write(`${text}\n`);
    },
    err(text) {
      endProgress();
      stderr.write(`${text}\n`);
    },
    width: widthOf(stdout, environment),
    unicode: hasUnicode(environment),
    colour: stdout.isTTY === true && isSmart && !environment["NO_COLOR"],
    progress(text) {
      if (stderr.isTTY !== true || !isSmart) return;
      stderr.write(CLEAR_LINE + text.slice(0, (stderr.columns || USUAL_WIDTH) - 1));
      isDirty = true;
    },
    endProgress,
  };
}

function widthOf({ columns }: Stream, environment: Environment): number {
  const width = columns || Number(environment["COLUMNS"]) || USUAL_WIDTH;
  return Math.min(WIDEST, Math.max(NARROWEST, width));
}

/** The first of these that is set decides, as in the C library. */
function hasUnicode({ LC_ALL, LC_CTYPE, LANG, WT_SESSION }: Environment): boolean {
  return /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || "") || WT_SESSION !== undefined;
}
