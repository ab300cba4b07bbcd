/** An open page gives an unanswered question up after this long, as it does one that failed. */
const withinMs = 30_000;

/** `fetch` with a deadline, for what an open page asks its own server: a network that swallows a question says nothing of it. */
export function askServer(address: string, init: RequestInit = {}): Promise<Response> {
  const overdue = AbortSignal.timeout(withinMs);
  // Browsers of before 2024 have no `any`: what the caller wants ended counts more.
  const signal = init.signal ? (AbortSignal.any?.([init.signal, overdue]) ?? init.signal) : overdue;
  return fetch(address, { ...init, signal });
}
