/** All pictures by the name of their file in docs/pictures. */
import { draw as drawAr1 } from "./ar1.mjs";
import { draw as drawFixedWindow } from "./fixed-window.mjs";
import { draw as drawGcra } from "./gcra.mjs";
import { draw as drawOverview } from "./overview.mjs";
import { draw as drawSlidingCounter } from "./sliding-counter.mjs";
import { draw as drawSlidingLog } from "./sliding-log.mjs";
import { draw as drawSlidingWindow } from "./sliding-window.mjs";

export const PICTURES = {
  "algorithms.svg": drawOverview,
  "sliding-log.svg": drawSlidingLog,
  "sliding-window.svg": drawSlidingWindow,
  "fixed-window.svg": drawFixedWindow,
  "sliding-counter.svg": drawSlidingCounter,
  "gcra.svg": drawGcra,
  "ar1.svg": drawAr1,
};
