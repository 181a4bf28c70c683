/** Preloaded into a process, it puts the process's clock off by the number of milliseconds in its query. */
const shiftMs = Number(new URL(import.meta.url).searchParams.get("ms"));
const right = Date.now;
const RightDate = Date;

globalThis.Date = class extends RightDate {
  constructor(...args) {
    super(...(args.length === 0 ? [right() + shiftMs] : args));
  }

  static now() {
    return right() + shiftMs;
  }
};
