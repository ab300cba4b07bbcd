export const isSafe = (method: string) => method === "GET" || method === "HEAD" || method === "OPTIONS";

/** Whether a browser sent an unsafe request on another site's behalf. */
export function comesFromElsewhere(request: Request, publicOrigin: string): boolean {
  const origin = request.headers.get("origin");
  if (origin !== null) return origin !== publicOrigin && origin !== new URL(request.url).origin;
  const site = request.headers.get("sec-fetch-site");
  return site === "cross-site" || site === "same-site";
}
