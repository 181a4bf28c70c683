/** Reads server-sent events from text that comes in pieces, as the HTML standard says. */

export interface ServerEvent {
  readonly name: string;
  readonly data: string;
  /** The last id that was sent, also where this event brought none. */
  readonly id: string | undefined;
}

/** Returns what is to be given each piece. */
export function eventReader(onEvent: (event: ServerEvent) => void): (piece: string) => void {
  let rest = "";
  let isFirst = true;
  let [name, data, id]: [string, string[], string | undefined] = ["", [], undefined];

  function take(line: string): void {
    if (line === "") {
      if (data.length > 0) onEvent({ name: name || "message", data: data.join("\n"), id });
      [name, data] = ["", []];
      return;
    }
    const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (field === "event") name = value;
    else if (field === "data") data.push(value);
    else if (field === "id" && !value.includes("\0")) id = value;
  }

  return (piece) => {
    rest += isFirst ? piece.replace(/^\ufeff/, "") : piece;
    isFirst = false;
    // A CR at the end may be half of a CRLF, and so waits for what follows.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    for (const line of lines) take(line);
  };
}
