/** The fields for traffic: its kind, and the sliders that this kind has. */
import { byId, setText } from "../dom/element.js";
import { Slider } from "./slider.js";
import { LENGTHS, PAUSES, RATES, SIZES } from "./steps.js";
import {
  KINDS,
  mended,
  readTraffic,
  type TrafficKind,
  type TrafficParts,
  USUAL_PARTS,
  writeTraffic,
} from "./traffic-parts.js";

type SliderName = "rate" | "to-rate" | "burst-size" | "burst-every";

const SLIDERS_OF: Readonly<Record<TrafficKind, readonly SliderName[]>> = {
  steady: ["rate"],
  poisson: ["rate"],
  burst: ["burst-size", "burst-every"],
  ramp: ["rate", "to-rate"],
};

const LARGEST_SEED = 9_999;

export class TrafficFields {
  private parts = USUAL_PARTS;
  traffic: string | undefined;
  length: string | undefined;
  private readonly sliders: Readonly<Record<SliderName, Slider>>;
  private readonly lengthSlider: Slider;

  constructor(private readonly onChanged: () => void) {
    const part = (change: (text: string) => Partial<TrafficParts>) => (text: string) =>
      this.set(change(text));
    this.sliders = {
      rate: new Slider(
        "rate",
        RATES,
        part((rate) => ({ rate })),
      ),
      "to-rate": new Slider(
        "to-rate",
        RATES,
        part((toRate) => ({ toRate })),
      ),
      "burst-size": new Slider(
        "burst-size",
        SIZES,
        part((size) => ({ size: Number(size) })),
      ),
      "burst-every": new Slider(
        "burst-every",
        PAUSES,
        part((every) => ({ every })),
      ),
    };
    this.lengthSlider = new Slider("length", LENGTHS, (length) => {
      this.length = length;
      onChanged();
    });
    for (const kind of KINDS) {
      byId(`kind-${kind}`, HTMLInputElement).addEventListener("change", () => this.set({ kind }));
    }
    byId("another-draw", HTMLButtonElement).addEventListener("click", () => {
      this.set({ seed: (this.parts.seed % LARGEST_SEED) + 1 });
    });
  }

  /** Undefined where the worker is to choose, and then says what it chose. */
  show(traffic: string | undefined, length: string | undefined): void {
    this.traffic = traffic;
    this.length = length;
    if (length !== undefined) this.lengthSlider.show(length);
    if (traffic === undefined) return;
    this.parts = readTraffic(traffic, this.parts);
    this.showParts();
  }

  private set(change: Partial<TrafficParts>): void {
    this.parts = mended({ ...this.parts, ...change });
    this.traffic = writeTraffic(this.parts);
    this.showParts();
    this.onChanged();
  }

  private showParts(): void {
    const { kind, rate, toRate, size, every } = this.parts;
    byId(`kind-${kind}`, HTMLInputElement).checked = true;
    const texts = { rate, "to-rate": toRate, "burst-size": String(size), "burst-every": every };
    for (const [name, slider] of Object.entries(this.sliders) as [SliderName, Slider][]) {
      slider.isShown = SLIDERS_OF[kind].includes(name);
      slider.show(texts[name]);
    }
    setText(byId("rate-label", HTMLElement), kind === "ramp" ? "from" : "rate");
    byId("another-draw", HTMLButtonElement).hidden = kind !== "poisson";
  }
}
