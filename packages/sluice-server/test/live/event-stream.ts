/** Reads server-sent events, one by one. */

export interface ServerEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

export interface EventStream {
  next(): Promise<ServerEvent | undefined>;
  leave(): void;
}

export async function watch(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/live/events`, { headers, signal: leaving.signal });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    async next() {
      while (!text.includes("\n\n")) {
        const { value, done } = await reader.read();
        if (done) return undefined;
        text += value;
      }
      const end = text.indexOf("\n\n");
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      return { event: field("event")!, id: field("id"), data: JSON.parse(field("data")!) };
    },
    leave: () => leaving.abort(),
  };
}
