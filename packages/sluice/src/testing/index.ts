export { type ManualClock, manualClock } from "./manual-clock.js";
