/**
 * Refuses a state-changing request that another site sent. Remix checks this only for page actions, not for resource routes
 * (measured on 2.17.5), so the API client asks before each unsafe call.
 * @throws Response 403
 */
export function assertSameOrigin(request: Request): void {
  const origin = request.headers.get("Origin");
  if (origin === null) {
    const site = request.headers.get("Sec-Fetch-Site");
    if (site === null || site === "same-origin" || site === "none") return;
  } else {
    const host = request.headers.get("X-Forwarded-Host")?.split(",")[0]?.trim() ?? request.headers.get("Host");
    if (URL.canParse(origin) && new URL(origin).host === (host ?? new URL(request.url).host)) return;
  }
  throw new Response("This request came from another site.", { status: 403 });
}
