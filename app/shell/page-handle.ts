/** What a route's `handle` tells the shell. */
export interface PageHandle {
  /** False: the page is sent without any JavaScript. */
  hydrate?: boolean;
  /** True: no header and footer (the embedded player). */
  bare?: boolean;
  /** True: the page is as wide as the window. */
  wide?: boolean;
  /** True: its scripts wait for the first picture, which is the largest part of the page. Its forms and links do not need them. */
  scriptsAfterPicture?: boolean;
  /** Colour of the browser around the page, and of the border of its preview in chat apps. */
  themeColor?: string;
}

/** Loader data of a page on which something may be running. */
export type RefreshingData = { refreshSeconds?: number | null } | null | undefined;

/** Seconds after which a page without JavaScript reloads; null when nothing runs. */
export function refreshSecondsOf(data: readonly RefreshingData[]): number | null {
  const wanted = data.flatMap((page) => (typeof page?.refreshSeconds === "number" ? [page.refreshSeconds] : []));
  return wanted.length > 0 ? Math.min(...wanted) : null;
}
