import type { Match, ProcessingState } from "../contract/api.ts";
import { limits } from "../contract/limits.ts";

export type PollableMatch = Pick<
  Match,
  "match_id" | "match_type" | "created_at" | "highlights_count" | "processing" | "demo_url" | "leetify_match_id"
>;

/** True when nothing more will happen to this import by itself. */
export function isSettled(state: Pick<ProcessingState, "is_processing" | "is_completed" | "status">): boolean {
  return !state.is_processing || state.is_completed || state.status === "completed" || state.status === "failed";
}

/**
 * Which matches are polled and how often (specification, section 4): a match created less than ten minutes ago, without
 * highlights and not recorded as completed, every 2 s; a recent match that is being imported every 5 s; an older import
 * that still runs every 30 s. A settled one is left alone.
 * @param completed ids that this browser has recorded as completed
 * @returns null when there is nothing to poll
 */
export function matchPollPlan(
  matches: readonly PollableMatch[],
  completed: readonly string[],
  nowMs: number,
): { ids: string[]; everyMs: number } | null {
  const running = matches.filter(
    (match) => !isSettled(match.processing) && match.highlights_count === 0 && !completed.includes(match.match_id),
  );
  if (running.length === 0) return null;
  const everyMs = Math.min(
    ...running.map((match) => {
      if (match.match_type === "recent") return limits.recentMatchPollMs;
      const age = nowMs - Date.parse(match.created_at);
      return age < limits.newMatchWindowMs ? limits.matchStatusPollMs : limits.defaultPollMs;
    }),
  );
  return { ids: running.map((match) => match.match_id), everyMs };
}

/** The ids to record as completed: those recorded already and every listed match that has highlights. */
export function recordCompleted(
  recorded: readonly string[],
  matches: readonly Pick<Match, "match_id" | "highlights_count" | "match_type">[],
): string[] {
  const found = matches.filter((match) => match.match_type === "imported" && match.highlights_count > 0);
  return [...new Set([...recorded, ...found.map((match) => match.match_id)])];
}

/** Reads the browser's record; anything that is not a list of ids is an empty one. */
export function completedFromStorage(text: string | null): string[] {
  try {
    const ids: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}
