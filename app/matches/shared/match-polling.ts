import { limits } from "../../../contract/limits.ts";
import type { Match, ProcessingState } from "../../../contract/schemas/matches.ts";
import { hasEnded, isSettled } from "./is-settled.ts";

export type PollableMatch = Pick<
  Match,
  "match_id" | "match_type" | "created_at" | "highlights_count" | "processing" | "demo_url" | "leetify_match_id"
>;

/** A query of `/matches/status` that is repeated. */
export interface PollPlan {
  url: string;
  everyMs: number;
}

/** The key of a match in the answer of `/matches/status`: a recent one has only its demo's address. */
export function stateKey(match: Pick<PollableMatch, "match_type" | "match_id" | "demo_url">): string {
  return match.match_type === "recent" ? (match.demo_url ?? match.match_id) : match.match_id;
}

/**
 * How often running imports are polled (specification, section 4): a match created less than ten minutes ago, without
 * highlights and not recorded as completed, every 2 s; an older import that still runs every 30 s. A finished one is not polled.
 * @param completed ids that this browser has recorded as completed
 * @returns null when there is nothing to poll
 */
export function importPollPlan(
  matches: readonly PollableMatch[],
  completed: readonly string[],
  nowMs: number,
): PollPlan | null {
  const running = matches.filter(
    (match) =>
      match.match_type === "imported" &&
      !isSettled(match.processing) &&
      match.highlights_count === 0 &&
      !completed.includes(match.match_id),
  );
  const isNew = running.some((match) => nowMs - Date.parse(match.created_at) < limits.newMatchWindowMs);
  return pollPlan("id", running, isNew ? limits.matchStatusPollMs : limits.defaultPollMs);
}

/**
 * Recent matches are polled every 5 s, so that an import that began in another tab or on another device shows here too.
 * @returns null when there is nothing to poll
 */
export function recentPollPlan(matches: readonly PollableMatch[]): PollPlan | null {
  const importable = matches.filter((match) => match.match_type === "recent" && match.demo_url);
  return pollPlan("demo", importable, limits.recentMatchPollMs);
}

function pollPlan(parameter: string, matches: readonly PollableMatch[], everyMs: number): PollPlan | null {
  if (matches.length === 0) return null;
  return {
    url: `/matches/status?${new URLSearchParams(matches.map((match) => [parameter, stateKey(match)]))}`,
    everyMs,
  };
}

/** True when a recent match has been imported: reloading the list shows it as an imported one. */
export function isImported(state: Pick<ProcessingState, "is_processing" | "is_completed" | "status">): boolean {
  return state.is_processing || hasEnded(state);
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
