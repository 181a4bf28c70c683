export interface Figure {
  readonly file: string;
  readonly marker: string;
}
export const FIGURES: readonly Figure[];
export function readResults(): unknown;
export function withFigures(document: string, figure: Figure, results: unknown): string;
