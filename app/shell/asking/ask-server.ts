/** After this long an unanswered request counts as failed. */
const withinMs = 30_000;

/** `fetch` with a deadline, for requests of an open page to its own server: a lost network may never report an error. */
export function askServer(address: string, init: RequestInit = {}): Promise<Response> {
  // Browsers before 2022 have no `timeout` and those before 2024 no `any`: there only the caller's signal counts.
  const overdue = AbortSignal.timeout?.(withinMs) ?? null;
  const both = init.signal && overdue ? AbortSignal.any?.([init.signal, overdue]) : undefined;
  return fetch(address, { ...init, signal: both ?? init.signal ?? overdue });
}
