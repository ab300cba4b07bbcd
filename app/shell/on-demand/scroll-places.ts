/** Lists load part by part and make the page longer. After waiting this long for the next part, the visitor has begun to read. */
const patienceMs = 5000;
const interruptions = ["wheel", "touchstart", "pointerdown", "keydown"];

/** Scroll position of each history entry, by the router's key. */
const places = new Map<string, number>();
let shownPath = location.pathname;
/** True while the history has gone back but the window still shows the other page. */
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

// When a page is reloaded, or reached from another site, the browser restores the scroll position: allowed from here on.
addEventListener("pagehide", () => {
  history.scrollRestoration = "auto";
});
addEventListener("pageshow", () => {
  history.scrollRestoration = "manual";
});

/**
 * Scrolls a page that the visitor went back to where they left it, as soon as it is long enough.
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
