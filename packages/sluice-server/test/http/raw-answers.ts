/** What a socket received, read as HTTP answers: for what no client library would send or notice. */

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answers to as many requests; to a HEAD there is never a body. */
export function rawAnswers(text: string, methods: readonly string[] = []): readonly RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  while (rest !== "") {
    const end = rest.indexOf("\r\n\r\n");
    const [start = "", ...lines] = rest.slice(0, end).split("\r\n");
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1];
    if (end < 0 || status === undefined) throw new Error(`Not an HTTP answer: ${JSON.stringify(rest)}`);
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const length = methods[answers.length] === "HEAD" ? 0 : Number(headers["content-length"] ?? 0);
    answers.push({ status: Number(status), headers, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

export function statusesIn(text: string): readonly number[] {
  return rawAnswers(text).map(({ status }) => status);
}
