/** An open page gives an unanswered question up after this long, as it does one that failed. */
const withinMs = 30_000;

/** `fetch` with a deadline, for what an open page asks its own server: a network that swallows a question says nothing of it. */
export function askServer(address: string, init: RequestInit = {}): Promise<Response> {
  // Browsers of before 2022 have no `timeout`, of before 2024 no `any`: they ask without, and what the caller wants ended counts.
  const overdue = AbortSignal.timeout?.(withinMs) ?? null;
  const both = init.signal && overdue ? AbortSignal.any?.([init.signal, overdue]) : undefined;
  return fetch(address, { ...init, signal: both ?? init.signal ?? overdue });
}
