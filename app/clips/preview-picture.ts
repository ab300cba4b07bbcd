import type { Clip } from "../../contract/schemas/clips.ts";

/** Of a poster, in pixels. */
const longerSide = 1280;

/**
 * The picture that previews of links show: in 16:9, since they cut what is upright to a strip. Upright clips that are older than
 * such pictures have their poster alone.
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
