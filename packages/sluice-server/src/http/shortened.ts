/** What a caller wrote, as far as it may come back to him. */

const LONGEST = 500;

export function shortened(text: string, longest = LONGEST): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
