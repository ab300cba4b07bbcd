/** The field of an address whose reader has paused refreshing. */
export const refreshField = "refresh";

export function isPaused(query: URLSearchParams): boolean {
  return query.get(refreshField) === "off";
}

/**
 * Whether what a request is answered with may load itself again after some seconds: neither the answer to a form, which would be
 * gone with all that the form held, nor a page whose reader has paused it.
 */
export function mayRefresh({ method, url }: Pick<Request, "method" | "url">): boolean {
  return method !== "POST" && !isPaused(new URL(url).searchParams);
}
