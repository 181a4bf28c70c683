/** Reads server-sent events, one by one. */

export interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
}

export interface EventStream {
  /** How many bytes of events have come. */
  readonly bytes: number;
  next(): Promise<ServerEvent | undefined>;
  leave(): void;
}

export async function watch(url: string): Promise<EventStream> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/live/events`, { signal: leaving.signal });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  return {
    get bytes() {
      return bytes;
    },
    async next() {
      while (!text.includes("\n\n")) {
        const { value, done } = await reader.read();
        if (done) return undefined;
        bytes += value.length;
        text += decoder.decode(value, { stream: true });
      }
      const end = text.indexOf("\n\n");
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      return { event: field("event")!, data: JSON.parse(field("data")!) };
    },
    leave: () => leaving.abort(),
  };
}
