/** Traffic as the fields show it, and as `sluice simulate` writes it. */
import { PAUSES, RATES, readable, SIZES } from "./steps.js";

export const KINDS = ["steady", "burst", "poisson", "ramp"] as const;
export type TrafficKind = (typeof KINDS)[number];

/** Those that a kind does not use keep what they were, for when it is chosen again. */
export interface TrafficParts {
  readonly kind: TrafficKind;
  readonly rate: string;
  readonly toRate: string;
  readonly size: number;
  readonly every: string;
  readonly seed: number;
}

export const USUAL_PARTS: TrafficParts = {
  kind: "burst",
  rate: "2/s",
  toRate: "10/s",
  size: 80,
  every: "45s",
  seed: 1,
};

/** What cannot be read stays as it was: the simulation says what is wrong with it. */
export function readTraffic(text: string, before: TrafficParts): TrafficParts {
  const [, name, rest = ""] = /^(\w+):(.*)$/s.exec(text.trim()) ?? [];
  const kind = KINDS.find((known) => known === name);
  switch (kind) {
    case undefined:
      return before;
    case "steady":
      return { ...before, kind, rate: rest };
    case "poisson": {
      const [rate = "", seed = "1"] = rest.split(",");
      return { ...before, kind, rate, seed: Number(seed) || 0 };
    }
    case "burst": {
      const [size = "", every = ""] = rest.split("/");
      return { ...before, kind, size: Number(size) || 0, every };
    }
    case "ramp": {
      const [rate = "", toRate = ""] = rest.split("..");
      return { ...before, kind, rate, toRate };
    }
  }
}

/** With what the sliders stand at in the place of what cannot be read. */
export function mended({ rate, toRate, size, every, ...others }: TrafficParts): TrafficParts {
  return {
    ...others,
    rate: readable(RATES, rate),
    toRate: readable(RATES, toRate),
    size: Number(readable(SIZES, String(size))),
    every: readable(PAUSES, every),
  };
}

export function writeTraffic({ kind, rate, toRate, size, every, seed }: TrafficParts): string {
  switch (kind) {
    case "steady":
      return `steady:${rate}`;
    case "poisson":
      return `poisson:${rate}${seed === 1 ? "" : `,${seed}`}`;
    case "burst":
      return `burst:${size}/${every}`;
    case "ramp":
      return `ramp:${rate}..${toRate}`;
  }
}
