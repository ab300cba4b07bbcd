import { boundedFetch, FetchFailedError } from "../../waits/bounded-fetch.ts";
import { deadlines } from "../../waits/deadlines.ts";
import { HistoryProviderError } from "./history-provider.ts";

const maxAnswerLength = 4 * 1024 * 1024;

/**
 * Asks a provider's API and explains its refusals.
 * @returns the parsed body, null for 404: the provider does not know the player or match
 * @throws HistoryProviderError
 */
export async function askProvider(name: string, address: URL, init: RequestInit = {}): Promise<unknown> {
  const answer = await boundedFetch(undefined, address, init, {
    timeoutMs: deadlines.historyProviderMs,
    maxBytes: maxAnswerLength,
  }).catch((error: unknown) => {
    if (error instanceof FetchFailedError) throw unreachable(name, error);
    throw error;
  });
  if (answer.status === 404) return null;
  if (answer.status === 429) {
    throw new HistoryProviderError(
      `${name} is asked too often right now. Recent matches will be back in a few minutes.`,
    );
  }
  if (answer.status === 401 || answer.status === 403) {
    throw new HistoryProviderError(`${name} does not accept this server's key, so recent matches cannot be shown.`);
  }
  if (answer.status !== 200) throw unreachable(name);
  try {
    return JSON.parse(answer.text);
  } catch (error) {
    throw unreachable(name, error);
  }
}

/** For an answer that is none, or not as documented. */
export function unreachable(name: string, cause?: unknown): HistoryProviderError {
  return new HistoryProviderError(`${name} cannot be asked right now, so recent matches are missing.`, { cause });
}
