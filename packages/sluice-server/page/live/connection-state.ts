/** Says whether what is shown is live, and if not, when the next try is. */
import { announce } from "../dom/announce.js";
import { byId, setText } from "../dom/element.js";
import { counted } from "../format.js";
import type { ConnectionState } from "./connection.js";

let countdown: ReturnType<typeof setInterval> | undefined;
let said: string | undefined;

export function showConnection(state: ConnectionState): void {
  const place = byId("connection", HTMLElement);
  const words = byId("connection-words", HTMLElement);
  clearInterval(countdown);
  place.dataset["state"] = state.kind;
  if (state.kind === "waiting") {
    const until = Date.now() + state.pauseMs;
    const tell = () => {
      const left = Math.max(0, Math.ceil((until - Date.now()) / 1000));
      setText(words, `Disconnected, next try in ${counted(left, "second")}`);
    };
    tell();
    countdown = setInterval(tell, 1000);
    place.title = state.why;
  } else {
    setText(words, WORDS[state.kind]);
    place.title = "";
  }
  sayOnce(state);
}

const WORDS = {
  connecting: "Connecting",
  live: "Live",
  paused: "Paused while out of sight",
  "needs token": "Signed out",
} as const;

/** A countdown is not read out; that the line broke and that it is back is. */
function sayOnce({ kind }: ConnectionState): void {
  const sentence =
    kind === "waiting" ? "Disconnected from the server." : kind === "live" ? "Live." : undefined;
  if (sentence === undefined || sentence === said) return;
  said = sentence;
  announce(sentence);
}
