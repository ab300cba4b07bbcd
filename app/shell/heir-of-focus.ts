import { type RefCallback, useCallback, useRef } from "react";

type Heirs = Iterable<HTMLElement | null | undefined>;

/** Focuses an element that may not be focusable by itself, such as a heading, without scrolling. */
export function giveFocus(element: HTMLElement): void {
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** Headings of the sections around an element, nearest first. */
function headingsAround(element: HTMLElement): HTMLElement[] {
  const headings: HTMLElement[] = [];
  for (let around: Element | null = element; around; around = around.parentElement) {
    const heading = around.matches("article, section, dialog, main") && around.querySelector<HTMLElement>("h1, h2, h3");
    if (heading) headings.push(heading);
  }
  return headings;
}

/**
 * Passes the focus on when an element that has it, or contains it, is removed: browsers would give it to the body, and Tab would begin at the
 * top of the page.
 * @param heirsOf called before the element is removed; the first of its elements that remains gets the focus
 * @returns the ref of what may be taken away
 */
export function useHeirOfFocus<Holder extends HTMLElement>(
  heirsOf: (holder: Holder) => Heirs = headingsAround,
): RefCallback<Holder> {
  const holder = useRef<Holder | null>(null);
  const latest = useRef(heirsOf);
  latest.current = heirsOf;
  return useCallback((element: Holder | null) => {
    // React 18 empties refs before it removes elements.
    const gone = element ? null : holder.current;
    holder.current = element;
    if (!gone?.contains(document.activeElement)) return;
    const heirs = [...latest.current(gone)];
    queueMicrotask(() => {
      // If another page opens, that one gets the focus.
      if (document.activeElement !== document.body) return;
      const heir = heirs.find((one) => one?.isConnected);
      if (heir) giveFocus(heir);
    });
  }, []);
}
