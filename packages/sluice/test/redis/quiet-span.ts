/** Spans so long, and so placed, that no time passes for a limit while a test runs. */

const DAY_US = 86_400_000_000;
const QUIET_US = 10 * 60_000_000;
/** What an algorithm divides a span into when a rule does not say. */
const SLOTS = 60;

/** About a year, with no boundary of a window or of one of its slots in the next ten minutes. */
export function quietSpan(nowUs = Date.now() * 1000): string {
  const isQuiet = (days: number) => {
    const slot = (days * DAY_US) / SLOTS;
    return slot - (nowUs % slot) > QUIET_US;
  };
  return `${[365, 366, 367, 368].find(isQuiet)}d`;
}
