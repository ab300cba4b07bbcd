import { isPassing } from "../demos/demo-import-error.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** How often a history is looked at, by how long no new match was found in it. */
const paces = [
  { withinMs: 3 * dayMs, everyMs: 10 * minuteMs },
  { withinMs: 14 * dayMs, everyMs: 30 * minuteMs },
  { withinMs: 60 * dayMs, everyMs: 2 * 60 * minuteMs },
] as const;
const slowestMs = 6 * 60 * minuteMs;

/** Longest wait after failures: a provider that is back is noticed within this time. */
const longestAfterFailuresMs = 2 * 60 * minuteMs;

/** No look is put off longer than this; a time that lies further ahead was written by a clock that was set back since. */
export const longestWaitMs = 1.1 * slowestMs;

export interface LookHistory {
  /** In a row, this look included. */
  failures: number;
  /** When a look last found a new match, or when the player switched it on. */
  activeAt: Date;
}

/**
 * When a player's history is looked at next. Every ten minutes while they play, less often the longer they have not, twice as late with
 * every failure in a row; each time a little earlier or later, so that those who began together do not stay together.
 * @param chance 0..1
 */
export function nextLook(now: Date, { failures, activeAt }: LookHistory, chance = Math.random()): Date {
  const quietMs = Math.abs(now.getTime() - activeAt.getTime());
  const everyMs = paces.find(({ withinMs }) => quietMs <= withinMs)?.everyMs ?? slowestMs;
  const afterFailuresMs = Math.min(paces[0].everyMs * 2 ** Math.min(failures, 20), longestAfterFailuresMs);
  const waitMs = failures > 0 ? Math.max(everyMs, afterFailuresMs) : everyMs;
  return new Date(now.getTime() + waitMs * (0.9 + 0.2 * chance));
}

/** A failed import is begun so often, an hour after the last failure. */
const mostTries = 3;
/** Where the host is away it ends by itself, in hours or days: so often, each time after twice as long. */
const mostTriesInOutage = 8;
/** What fits into 24 hours of those: begun at once and after 1, 3, 7 and 15 hours. */
export const mostTriesADay = 5;
const hourMs = 60 * minuteMs;
const longestTryAgainMs = 16 * hourMs;

export interface FailedImport {
  /** Imports that were begun. */
  tries: number;
  changed_at: Date;
  /** Of the match; null when it is no more. */
  error_code: string | null;
}

/** When a failed import of a match that is listed still is begun again at the earliest; never: the end of time. */
export function tryAgainAt({ tries: begun, changed_at, error_code }: FailedImport): Date {
  const isOutage = error_code === "provider_failed" || isPassing(error_code ?? "");
  if (begun >= (isOutage ? mostTriesInOutage : mostTries)) return new Date(8.64e15);
  const waitMs = isOutage ? Math.min(hourMs * 2 ** (begun - 1), longestTryAgainMs) : hourMs;
  return new Date(changed_at.getTime() + waitMs);
}
