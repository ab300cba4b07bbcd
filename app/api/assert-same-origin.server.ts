/**
 * Refuses a state-changing request that another site sent. Remix checks this only for page actions, not for resource routes
 * (measured on 2.17.5), so the API client calls this before each unsafe call. X-Forwarded-Host is ignored: without a proxy in front, anybody
 * can write it.
 * @param publicOrigin as in `LoadContext`
 * @throws Response 403
 */
export function assertSameOrigin(request: Request, publicOrigin: string | undefined): void {
  const origin = request.headers.get("Origin");
  if (origin === null) {
    const site = request.headers.get("Sec-Fetch-Site");
    if (site === null || site === "same-origin" || site === "none") return;
  } else {
    const host = request.headers.get("Host") ?? new URL(request.url).host;
    if (origin === publicOrigin || (URL.canParse(origin) && new URL(origin).host === host)) return;
  }
  throw new Response("This request came from another site.", { status: 403 });
}
