import { boundedFetch, FetchFailedError } from "../../waits/bounded-fetch.ts";
import { deadlines } from "../../waits/deadlines.ts";
import { readRetryAfter } from "../../waits/read-retry-after.ts";
import { AskedTooOftenError, HistoryProviderError } from "./history-provider.ts";

const maxAnswerLength = 4 * 1024 * 1024;

/** A provider that wants to be left alone for longer is asked all the same: its quotas are of minutes. */
const longestPauseMs = 60 * 60_000;

/** What cannot be had when a provider does not answer, as its sentences say it. */
const wanted = {
  matches: {
    tooOften: "Recent matches will be back in a few minutes.",
    noKey: "so recent matches cannot be shown.",
    away: "so recent matches are missing.",
  },
  demo: {
    tooOften: "Try to import this demo again in a few minutes.",
    noKey: "so this demo cannot be downloaded. Download it yourself and upload the file.",
    away: "so this demo cannot be downloaded. Try again in a few minutes.",
  },
} as const;

export type Wanted = keyof typeof wanted;

/**
 * Asks a provider's API and explains its refusals.
 * @returns the parsed body, null for 404: the provider does not know the player or match
 * @throws HistoryProviderError; AskedTooOftenError for 429
 */
export async function askProvider(
  name: string,
  address: URL,
  init: RequestInit = {},
  what: Wanted = "matches",
): Promise<unknown> {
  const answer = await boundedFetch(undefined, address, init, {
    timeoutMs: deadlines.historyProviderMs,
    maxBytes: maxAnswerLength,
  }).catch((error: unknown) => {
    if (error instanceof FetchFailedError) throw unreachable(name, error, what);
    throw error;
  });
  if (answer.status === 404) return null;
  if (answer.status === 429) {
    const askedMs = Math.min(readRetryAfter(answer.headers.get("retry-after")), longestPauseMs);
    throw new AskedTooOftenError(`${name} is asked too often right now. ${wanted[what].tooOften}`, askedMs || null);
  }
  if (answer.status === 401 || answer.status === 403) {
    throw new HistoryProviderError(`${name} does not accept this server's key, ${wanted[what].noKey}`);
  }
  if (answer.status !== 200) throw unreachable(name, undefined, what);
  try {
    return JSON.parse(answer.text);
  } catch (error) {
    throw unreachable(name, error, what);
  }
}

/** For an answer that is none, or not as documented. */
export function unreachable(name: string, cause?: unknown, what: Wanted = "matches"): HistoryProviderError {
  return new HistoryProviderError(`${name} cannot be asked right now, ${wanted[what].away}`, { cause });
}
