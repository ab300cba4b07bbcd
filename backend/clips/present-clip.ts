import type { Clip, ClipDetail } from "../../contract/schemas/clips.ts";
import { gameModeLabel } from "../../contract/statuses.ts";
import { listedHighlight } from "../matches/present-highlight.ts";
import type { Services } from "../services.ts";
import { loadClips, type SeenClip } from "./load-clips.ts";

/** Adds what only the visitor sees: whether they like a clip and whether it is theirs. */
export function clipForViewer({ clip, ownerId, isMadeForOwner, isLiked }: SeenClip, viewerId: number | null): Clip {
  if (viewerId === null) return clip;
  const isOwner = ownerId === viewerId;
  return {
    ...clip,
    user_has_liked: isLiked,
    is_owner: isOwner,
    ...(isMadeForOwner && isOwner ? { made_for_you: true } : {}),
  };
}

/** A clip as lists carry it: without the kills of its highlights, which only its own page and its match need. */
export function listForm({ clip, ...about }: SeenClip): SeenClip {
  return { ...about, clip: { ...clip, highlights: clip.highlights.map(listedHighlight) } };
}

/** Clips of a list for a visitor, in the order of `ids`. */
export async function presentListedClips(
  services: Services,
  ids: readonly number[],
  viewerId: number | null,
): Promise<Clip[]> {
  const clips = await loadClips(services, ids, viewerId);
  return clips.map((shown) => clipForViewer(listForm(shown), viewerId));
}

/**
 * Clips of a list that is everybody's: without those that became unlisted since the list was read, whose addresses have a key that nobody
 * may learn there.
 */
export async function presentPublicClips(
  services: Services,
  ids: readonly number[],
  viewerId: number | null,
): Promise<Clip[]> {
  const clips = await presentListedClips(services, ids, viewerId);
  return clips.filter(({ visibility }) => visibility === "public");
}

/** Loads clips for a visitor, in the order of `ids`. */
export async function presentClips(
  services: Services,
  ids: readonly number[],
  viewerId: number | null,
): Promise<Clip[]> {
  const clips = await loadClips(services, ids, viewerId);
  return clips.map((shown) => clipForViewer(shown, viewerId));
}

/** A clip with what its own page and link previews need. */
export function clipDetail<Shown extends Clip>(clip: Shown): Shown & Pick<ClipDetail, "match_info" | "sharing"> {
  const { map_name, map_display_name, map_icon_url, game_mode, match_date, imported_at, score_team1, score_team2 } =
    clip;
  const where = [map_display_name, gameModeLabel(game_mode)].filter(Boolean).join(", ");
  return {
    ...clip,
    match_info: {
      map_name,
      map_display_name,
      map_icon_url,
      game_mode,
      match_date,
      imported_at,
      score_team1,
      score_team2,
    },
    sharing: {
      title: clip.display_name,
      description: `${clip.highlight_info ? `${clip.highlight_info} on ${where}` : `A CS2 clip on ${where}`}. Clip by ${clip.user.username}.`,
      created_by: clip.user.username,
    },
  };
}
