import { limits } from "../../contract/limits.ts";
import type { ClipsOverview } from "../../contract/schemas/clip-lists.ts";
import type { MatchInfo } from "../../contract/schemas/match-info.ts";
import { type ClipSummary, summariseClip } from "./clip-summary.ts";

export interface ClipGroupSummary extends MatchInfo {
  /** Null for compilations. */
  match_id: string | null;
  clips: ClipSummary[];
}

/** A page of clips by match, as the two clip overviews show it. */
export interface ClipsPage {
  groups: ClipGroupSummary[];
  stats: ClipsOverview["user_stats"];
  /** Null without a limit, and for other players. */
  storage: ClipsOverview["storage"] | null;
  offset: number;
  /** Offset of the next page, null at the end. */
  nextOffset: number | null;
}

export function clipsPage(overview: ClipsOverview, offset: number): ClipsPage {
  return {
    groups: overview.results.map(({ clips, ...match }) => ({ ...match, clips: clips.map(summariseClip) })),
    stats: overview.user_stats,
    storage: overview.storage ?? null,
    offset,
    nextOffset: overview.next === null ? null : offset + limits.clipGroupsPerRequest,
  };
}

/** Appends a loaded page. Groups that are there already, because clips were made meanwhile, are not repeated. */
export function appendGroups(
  shown: readonly ClipGroupSummary[],
  more: readonly ClipGroupSummary[],
): ClipGroupSummary[] {
  const known = new Set(shown.map((group) => group.match_id));
  return [...shown, ...more.filter((group) => !known.has(group.match_id))];
}

/** Removes deleted clips, and groups that are empty then. */
export function withoutClips(groups: readonly ClipGroupSummary[], deleted: ReadonlySet<number>): ClipGroupSummary[] {
  return groups
    .map((group) => ({ ...group, clips: group.clips.filter((clip) => !deleted.has(clip.id)) }))
    .filter((group) => group.clips.length > 0);
}
