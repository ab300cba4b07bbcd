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
      const by = scrollToUncover(seen.getBoundingClientRect(), cover.getBoundingClientRect(), innerHeight);
      if (by !== 0) scrollBy({ top: by, behavior: "instant" });
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

/** @returns by how many pixels the page has to be scrolled so that `over` covers nothing of `box`; 0 where it does not */
export function scrollToUncover(box: Box, over: Box, windowHeight: number): number {
  const isApart =
    over.bottom <= over.top ||
    box.right <= over.left ||
    box.left >= over.right ||
    box.bottom <= over.top ||
    box.top >= over.bottom;
  if (isApart) return 0;
  const isAtTop = over.top + over.bottom < windowHeight;
  if (isAtTop) return box.top - over.bottom - gap;
  // Something higher than what is left begins below the header.
  return Math.max(0, Math.min(box.bottom - over.top + gap, box.top - headerPixels));
}
