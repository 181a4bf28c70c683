/** Asks for a token when the server wants one, and forgets it on signing out. */
import { byId, setText } from "../dom/element.js";
import { forgetToken, storedToken, storeToken } from "./token.js";

export interface SignIn {
  /** Shows the form; a token that was sent already was a wrong one. */
  ask(): void;
  /** The server takes what it was sent. */
  accepted(): void;
}

export function createSignIn(onToken: () => void, onSignOut: () => void): SignIn {
  const form = byId("sign-in", HTMLFormElement);
  const field = byId("token", HTMLInputElement);
  const mistake = byId("token-mistake", HTMLParagraphElement);
  const signOut = byId("sign-out", HTMLButtonElement);

  function complain(words: string): void {
    setText(mistake, words);
    field.setAttribute("aria-invalid", String(words !== ""));
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!storeToken(field.value))
      return complain("A token is made of letters, digits and signs, without spaces.");
    field.value = "";
    complain("");
    onToken();
  });
  signOut.addEventListener("click", () => {
    forgetToken();
    signOut.hidden = true;
    onSignOut();
  });

  return {
    ask() {
      if (storedToken() !== undefined) complain("The server does not know this token.");
      forgetToken();
      signOut.hidden = true;
      form.hidden = false;
      field.focus();
    },
    accepted() {
      form.hidden = true;
      complain("");
      signOut.hidden = storedToken() === undefined;
    },
  };
}
