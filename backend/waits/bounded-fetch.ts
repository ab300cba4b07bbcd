import { untilAborted } from "./until-aborted.ts";

export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

export interface BoundedAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/** The other side could not be reached, did not answer in time or answered too much. */
export class FetchFailedError extends Error {}

/**
 * Fetches a short text from a server we do not control, bounded in time and size. Follows no redirect, since the requested addresses are
 * fixed.
 * @param ask undefined: over the network
 * @throws FetchFailedError; an HTTP error status is an answer, not an error
 */
export async function boundedFetch(
  ask: Fetch | undefined,
  url: string | URL,
  init: RequestInit,
  limits: { timeoutMs: number; maxBytes: number },
): Promise<BoundedAnswer> {
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  try {
    // A handler in this process may ignore the signal.
    const response = await untilAborted((ask ?? fetch)(url, { ...init, redirect: "manual", signal }), signal);
    const text = await untilAborted(boundedText(response, limits.maxBytes), signal);
    return { status: response.status, headers: response.headers, text };
  } catch (error) {
    if (error instanceof FetchFailedError) throw error;
    const { host } = new URL(url);
    const reason = timeout.aborted ? `did not answer within ${limits.timeoutMs} ms` : "could not be reached";
    throw new FetchFailedError(`${host} ${reason}`, { cause: error });
  }
}

async function boundedText(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  if (!response.body) return text;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new FetchFailedError(`the answer is longer than ${maxBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
