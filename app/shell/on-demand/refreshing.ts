/** The query parameter of a page on which refreshing is paused. */
export const refreshField = "refresh";

export function isPaused(query: URLSearchParams): boolean {
  return query.get(refreshField) === "off";
}

/**
 * Whether the answer to a request may reload by itself. The answer to a form may not, because it would be lost with everything in the form; nor a
 * page on which refreshing is paused.
 */
export function mayRefresh({ method, url }: Pick<Request, "method" | "url">): boolean {
  return method !== "POST" && !isPaused(new URL(url).searchParams);
}
