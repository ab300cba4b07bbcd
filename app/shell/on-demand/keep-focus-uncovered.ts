/** Distance from the bar that covers the page. */
const gap = 8;
/** Height of the header, like `scroll-padding-top`. */
const headerPixels = 88;

/**
 * Scrolls an element that gets the focus by keyboard out from under a bar whose height changes. For a bar of constant height `scroll-padding`
 * does that without a script.
 */
export function keepFocusUncovered(cover: HTMLElement): void {
  let frame = 0;
  const uncover = () => {
    cancelAnimationFrame(frame);
    // The browser's own scrolling comes first.
    frame = requestAnimationFrame(() => {
      const focused = document.activeElement;
      if (!focused?.matches(":focus-visible") || cover.contains(focused)) return;
      // A hidden checkbox is represented by its label.
      const seen = (focused.matches(".sr-only") && focused.closest("label")) || focused;
      // A bar that sticks to the window's edge may appear during the scroll.
      for (let step = 0; step < 3; step++) {
        const by = scrollToUncover(seen.getBoundingClientRect(), cover.getBoundingClientRect(), innerHeight);
        if (by === 0) break;
        scrollBy({ top: by, behavior: "instant" });
      }
    });
  };
  const grown = new ResizeObserver(() => {
    if (cover.isConnected) uncover();
    else end();
  });
  const end = () => {
    document.removeEventListener("focusin", uncover);
    grown.disconnect();
  };
  document.addEventListener("focusin", uncover);
  grown.observe(cover);
}

type Box = Pick<DOMRect, "left" | "right" | "top" | "bottom">;

/**
 * @returns by how many pixels the page has to be scrolled so that `over` covers nothing of `box`; 0 where it does not. What is still out
 * of the window, while the browser scrolls to it, is not let go under `over` first
 */
export function scrollToUncover(box: Box, over: Box, windowHeight: number): number {
  const isBeside = over.bottom <= over.top || box.right <= over.left || box.left >= over.right;
  if (isBeside) return 0;
  const isAtTop = over.top + over.bottom < windowHeight;
  if (isAtTop) {
    const isClear = box.top >= over.bottom || (box.bottom <= over.top && box.top >= 0);
    return isClear ? 0 : box.top - over.bottom - gap;
  }
  const isClear = box.bottom <= over.top || (box.top >= over.bottom && box.bottom <= windowHeight);
  // An element that is higher than the visible area begins below the header.
  return isClear ? 0 : Math.max(0, Math.min(box.bottom - over.top + gap, box.top - headerPixels));
}
