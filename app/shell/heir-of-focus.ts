import { type RefCallback, useCallback, useRef } from "react";

type Heirs = Iterable<HTMLElement | null | undefined>;

/** Gives the focus to an element that may be none to press, as a heading. The page is not scrolled. */
export function giveFocus(element: HTMLElement): void {
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** The headings of what an element stands in, the nearest first. */
function headingsAround(element: HTMLElement): HTMLElement[] {
  const headings: HTMLElement[] = [];
  for (let around: Element | null = element; around; around = around.parentElement) {
    const heading = around.matches("article, section, dialog, main") && around.querySelector<HTMLElement>("h1, h2, h3");
    if (heading) headings.push(heading);
  }
  return headings;
}

/**
 * For what may be taken away while it, or a control in it, has the focus: browsers give it to the body then, and Tab begins at the
 * page's top.
 * @param heirsOf asked while what goes still stands on the page; the first that is there afterwards gets the focus
 * @returns the ref of what may be taken away
 */
export function useHeirOfFocus<Holder extends HTMLElement>(
  heirsOf: (holder: Holder) => Heirs = headingsAround,
): RefCallback<Holder> {
  const holder = useRef<Holder | null>(null);
  const latest = useRef(heirsOf);
  latest.current = heirsOf;
  return useCallback((element: Holder | null) => {
    // React 18 empties refs before it takes elements away.
    const gone = element ? null : holder.current;
    holder.current = element;
    if (!gone?.contains(document.activeElement)) return;
    const heirs = [...latest.current(gone)];
    queueMicrotask(() => {
      // What opens another page gives the focus to that.
      if (document.activeElement !== document.body) return;
      const heir = heirs.find((one) => one?.isConnected);
      if (heir) giveFocus(heir);
    });
  }, []);
}
