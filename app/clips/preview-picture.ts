import type { Clip } from "../../contract/schemas/clips.ts";

/** Size of a poster in pixels. */
const longerSide = 1280;

/**
 * The picture for link previews, in 16:9, because previews cut upright pictures to a strip. Older upright clips have only their poster.
 * @param size of the clip's video, in pixels
 */
export function previewPicture(
  clip: Pick<Clip, "poster_url" | "wide_poster_url">,
  size: { width: number; height: number },
): { url: string; width: number; height: number } | null {
  if (clip.wide_poster_url) return { url: clip.wide_poster_url, width: longerSide, height: (longerSide * 9) / 16 };
  if (!clip.poster_url) return null;
  const scale = longerSide / Math.max(size.width, size.height);
  return { url: clip.poster_url, width: Math.round(size.width * scale), height: Math.round(size.height * scale) };
}
