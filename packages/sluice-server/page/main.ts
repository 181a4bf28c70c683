/** The page: two views, chosen by the address. */
import { redrawAll } from "./chart/chart.js";
import { forgetColours } from "./chart/palette.js";
import { byId } from "./dom/element.js";
import { Live } from "./live/live.js";
import { Playground } from "./playground/playground.js";
import { stateIn } from "./playground/state.js";
import { parseFragment, VIEWS } from "./route.js";
import { startTheme } from "./theme.js";

startTheme(() => {
  forgetColours();
  redrawAll();
});

const live = new Live();
const playground = new Playground();
let wasPlaying = false;

function showRoute(): void {
  const { view, query } = parseFragment(location.hash);
  for (const name of VIEWS) {
    const link = byId(`to-${name}`, HTMLAnchorElement);
    if (name === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = view === "live" ? "Sluice" : "Sluice: playground";
  const [kind] = ["limit", "command"].filter((name) => query.has(name));
  const isPlaying = view === "playground";
  live.show(!isPlaying, kind && `${kind} ${query.get(kind)}`);
  byId("playground", HTMLElement).hidden = !isPlaying;
  playground.isShown = isPlaying;
  if (isPlaying && (query.has("rule") || !wasPlaying)) playground.show(stateIn(query));
  wasPlaying ||= isPlaying;
}

byId("skip", HTMLAnchorElement).addEventListener("click", (event) => {
  event.preventDefault();
  byId("main", HTMLElement).focus();
});
addEventListener("hashchange", showRoute);
showRoute();
live.start();
