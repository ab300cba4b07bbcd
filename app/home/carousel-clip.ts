import type { Clip } from "../../contract/schemas/clips.ts";

/** What Home shows of a clip. */
export type CarouselClip = Pick<
  Clip,
  | "id"
  | "public_id"
  | "display_name"
  | "video_url"
  | "thumbnail_url"
  | "loop_url"
  | "duration_seconds"
  | "likes_count"
  | "views_count"
  | "user"
>;

export function carouselClip(clip: Clip): CarouselClip {
  return {
    id: clip.id,
    public_id: clip.public_id,
    display_name: clip.display_name || clip.name,
    video_url: clip.video_url,
    thumbnail_url: clip.thumbnail_url,
    loop_url: clip.loop_url,
    duration_seconds: clip.duration_seconds,
    likes_count: clip.likes_count,
    views_count: clip.views_count,
    user: clip.user,
  };
}
