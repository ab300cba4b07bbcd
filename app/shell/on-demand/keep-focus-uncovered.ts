/** So far from what lies over the page. */
const gap = 8;
/** Below the header, as `scroll-padding-top` has it. */
const headerPixels = 88;

/**
 * For what lies over the page and grows and shrinks: what gets the focus by keyboard is scrolled out from under it, as long as it is
 * there. `scroll-padding` does that for what has one height, and without a script.
 */
export function keepFocusUncovered(cover: HTMLElement): void {
  let frame = 0;
  const uncover = () => {
    cancelAnimationFrame(frame);
    // The browser's own scrolling comes first.
    frame = requestAnimationFrame(() => {
      const focused = document.activeElement;
      if (!focused?.matches(":focus-visible") || cover.contains(focused)) return;
      // A box that is not seen itself is seen by its label.
      const seen = (focused.matches(".sr-only") && focused.closest("label")) || focused;
      // A bar that sticks to the window's edge may come up on its way there.
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
  // Something higher than what is left begins below the header.
  return isClear ? 0 : Math.max(0, Math.min(box.bottom - over.top + gap, box.top - headerPixels));
}
