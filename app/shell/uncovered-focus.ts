/** Ref for a bar that covers part of the page: an element that gets the focus by keyboard is scrolled out from under it. */
export const uncoveredFocus = (cover: HTMLElement | null): void => {
  if (!cover) return;
  import("./on-demand/keep-focus-uncovered.ts").then(
    ({ keepFocusUncovered }) => keepFocusUncovered(cover),
    () => {},
  );
};
