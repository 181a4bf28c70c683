/** Sentences for who listens instead of looking: said once, when there is a pause. */
import { byId, setText } from "./element.js";

export function announce(sentence: string): void {
  setText(byId("announcement", HTMLParagraphElement), sentence);
}
