/** A slider over steps, with its value beside it in words. */
import { byId, setText } from "../dom/element.js";
import { placeOf, type Steps } from "./steps.js";

export class Slider {
  private readonly field: HTMLInputElement;
  private readonly words: HTMLSpanElement;

  /** `onMoved` is told what the place stands for. */
  constructor(
    name: string,
    private readonly steps: Steps,
    onMoved: (text: string) => void,
  ) {
    this.field = byId(name, HTMLInputElement);
    this.words = byId(`${name}-value`, HTMLSpanElement);
    this.field.max = String(steps.texts.length - 1);
    this.field.addEventListener("input", () => {
      const text = steps.texts[Number(this.field.value)]!;
      this.tell(text);
      onMoved(text);
    });
  }

  /** A text between two places moves it to the nearer one, and is shown as it is. */
  show(text: string): void {
    this.field.value = String(placeOf(this.steps, text));
    this.tell(text);
  }

  set isShown(isShown: boolean) {
    this.field.closest<HTMLElement>(".slider")!.hidden = !isShown;
  }

  private tell(text: string): void {
    const words = this.steps.inWords(text);
    setText(this.words, words);
    this.field.setAttribute("aria-valuetext", words);
  }
}
