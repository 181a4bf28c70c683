/** What is said of a doubtful configuration: each thing once. */

export type OnWarning = (message: string) => void;

/** Says a message unless one was already said under this name. */
export type Warn = (name: string, message: string) => void;

export function warnOnce(onWarning: OnWarning = toConsole): Warn {
  const said = new Set<string>();
  return (name, message) => {
    if (said.has(name)) return;
    said.add(name);
    onWarning(message);
  };
}

function toConsole(message: string): void {
  const { console } = globalThis as { console?: { warn?(text: string): void } };
  console?.warn?.(`sluice: ${message}`);
}
