/** Lists that come later make the page longer, part by part; whoever has waited so long for the next part has begun to read. */
const patienceMs = 5000;
const interruptions = ["wheel", "touchstart", "pointerdown", "keydown"];

/** How far down each entry of the history was, by the router's key of it. */
const places = new Map<string, number>();
let shownPath = location.pathname;
/** Until the page that was gone back to is shown, the window shows another one than the history says. */
let isGoingBack = false;

const keyOfEntry = () => (history.state as { key?: string } | null)?.key ?? "default";
const isOutlined = () => document.querySelector("main > [hidden]") !== null;

addEventListener("popstate", () => {
  isGoingBack = location.pathname !== shownPath;
});
addEventListener(
  "scroll",
  () => {
    if (!isGoingBack && !isOutlined()) places.set(keyOfEntry(), scrollY);
  },
  { passive: true },
);

// A page that is loaded anew, or come back to from another site, is scrolled by the browser, which may so from here on.
addEventListener("pagehide", () => {
  history.scrollRestoration = "auto";
});
addEventListener("pageshow", () => {
  history.scrollRestoration = "manual";
});

/**
 * Shows a page that was gone back to where it was left, as soon as it is long enough.
 * @returns false for every other page
 */
export function returnsToPlace(): boolean {
  const place = isGoingBack ? places.get(keyOfEntry()) : undefined;
  isGoingBack = false;
  shownPath = location.pathname;
  if (!place) return false;
  const end = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const go = () => {
    clearTimeout(timer);
    scrollTo(0, place);
    if (Math.abs(scrollY - place) < 2) end.abort();
    else timer = setTimeout(() => end.abort(), patienceMs);
  };
  const growing = new ResizeObserver(go);
  end.signal.addEventListener("abort", () => {
    growing.disconnect();
    clearTimeout(timer);
  });
  for (const event of interruptions) addEventListener(event, () => end.abort(), { signal: end.signal, passive: true });
  growing.observe(document.body);
  go();
  return true;
}
