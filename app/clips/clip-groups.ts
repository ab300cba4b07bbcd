import { limits } from "../../contract/limits.ts";
import type { ClipsOverview } from "../../contract/schemas/clip-lists.ts";
import type { MatchInfo } from "../../contract/schemas/match-info.ts";
import { type ClipSummary, summariseClip } from "./clip-summary.ts";

export interface ClipGroupSummary extends MatchInfo {
  /** Null of the compilations. */
  match_id: string | null;
  clips: ClipSummary[];
}

/** A page of clips by match, as the two clip overviews show it. */
export interface ClipsPage {
  groups: ClipGroupSummary[];
  stats: ClipsOverview["user_stats"];
  /** Null where it is not limited, and of other players. */
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

/** Appends a loaded page; a group that is there already (clips were made meanwhile) is not shown twice. */
export function appendGroups(
  shown: readonly ClipGroupSummary[],
  more: readonly ClipGroupSummary[],
): ClipGroupSummary[] {
  const known = new Set(shown.map((group) => group.match_id));
  return [...shown, ...more.filter((group) => !known.has(group.match_id))];
}

/** Takes deleted clips out, and the groups that are empty then. */
export function withoutClips(groups: readonly ClipGroupSummary[], deleted: ReadonlySet<number>): ClipGroupSummary[] {
  return groups
    .map((group) => ({ ...group, clips: group.clips.filter((clip) => !deleted.has(clip.id)) }))
    .filter((group) => group.clips.length > 0);
}
