import type { Clip, ClipVideos } from "../../contract/schemas/clips.ts";

/** What cards and carousels need of a clip; the rest (every kill of every highlight) stays on the server. */
export type ClipSummary = Pick<
  Clip,
  | "id"
  | "public_id"
  | "visibility"
  | "display_name"
  | "highlight_info"
  | "render_status"
  | "queue_position"
  | "progress"
  | "render_error"
  | "video_url"
  | "poster_url"
  | "thumbnail_url"
  | "loop_url"
  | "duration_seconds"
  | "format"
  | "created_at"
  | "likes_count"
  | "views_count"
  | "user_has_liked"
  | "is_owner"
  | "made_for_you"
  | "match_id"
  | "user"
> & { highlights_count: number };

/** A clip with its formats, as its own page and what pages poll have it; lists have none. */
export type ClipWithVideos = ClipSummary & ClipVideos & Pick<Clip, "wide_poster_url">;

export function summariseWithVideos(clip: Clip & ClipVideos): ClipWithVideos {
  const { parts, formats, share_url, can_add_formats, marks, wide_poster_url } = clip;
  return { ...summariseClip(clip), parts, formats, share_url, can_add_formats, marks, wide_poster_url };
}

export function summariseClip(clip: Clip): ClipSummary {
  return {
    id: clip.id,
    public_id: clip.public_id,
    visibility: clip.visibility,
    display_name: clip.display_name || clip.name,
    highlight_info: clip.highlight_info,
    render_status: clip.render_status,
    queue_position: clip.queue_position,
    progress: clip.progress,
    render_error: clip.render_error,
    video_url: clip.video_url,
    poster_url: clip.poster_url,
    thumbnail_url: clip.thumbnail_url,
    loop_url: clip.loop_url,
    duration_seconds: clip.duration_seconds,
    format: clip.format,
    created_at: clip.created_at,
    likes_count: clip.likes_count,
    views_count: clip.views_count,
    user_has_liked: clip.user_has_liked,
    is_owner: clip.is_owner,
    match_id: clip.match_id,
    user: clip.user,
    highlights_count: clip.highlights.length,
    // Most are not: lists are long.
    ...(clip.made_for_you ? { made_for_you: true } : {}),
  };
}
