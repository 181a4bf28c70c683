/** Asks before something is changed. */
import { byId, setText } from "./element.js";

export interface Question {
  readonly title: string;
  readonly words: string;
  /** What the button that does it says. */
  readonly yes: string;
}

/** The focus begins on "Cancel", and goes back to where it was. */
export function confirmed({ title, words, yes }: Question): Promise<boolean> {
  const dialog = byId("confirm", HTMLDialogElement);
  const [doIt, cancel] = [byId("confirm-yes", HTMLButtonElement), byId("confirm-no", HTMLButtonElement)];
  setText(byId("confirm-title", HTMLHeadingElement), title);
  setText(byId("confirm-words", HTMLParagraphElement), words);
  setText(doIt, yes);
  dialog.returnValue = "";
  doIt.onclick = () => dialog.close("yes");
  cancel.onclick = () => dialog.close();
  dialog.showModal();
  cancel.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}
