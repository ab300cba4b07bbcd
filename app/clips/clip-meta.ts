import type { MetaDescriptor } from "@remix-run/node";
import type { ClipDetail } from "../../contract/schemas/clips.ts";
import { pageMeta } from "../shell/page-meta.ts";
import type { ClipWithVideos } from "./clip-summary.ts";
import { previewPicture } from "./preview-picture.ts";

interface SharedClip {
  clip: ClipWithVideos;
  sharing: ClipDetail["sharing"];
  size: { width: number; height: number };
  publicUrl: string;
}

/** What link previews and search engines are told about a clip; null: it does not exist. */
export function clipMeta(shared: SharedClip | null): MetaDescriptor[] {
  if (!shared) {
    return pageMeta({
      title: "Clip Not Found",
      description: "The requested CS2 clip could not be found",
      noindex: true,
    });
  }
  const { clip, sharing, size, publicUrl } = shared;
  const absolute = (path: string) => new URL(path, publicUrl).href;
  const url = absolute(`/clips/${clip.public_id}`);
  const picture = previewPicture(clip, size);
  const poster = picture ? absolute(picture.url) : undefined;
  const description = cutToBytes(sharing.description, longestDescription);
  const short = { title: cutToBytes(sharing.title, longestTitle), description };
  const page = pageMeta({
    title: sharing.title,
    shortTitle: short.title,
    description,
    url,
    image: poster,
    noindex: clip.visibility === "unlisted",
  });
  const card = { name: "twitter:card", content: "summary_large_image" };
  if (!clip.video_url || !poster || !picture) return [...page, card];

  const video = absolute(clip.video_url);
  // Chat apps show nothing of a video that is too large for them, and keep that they do: until there is a file for them they get a picture.
  const preview = clip.share_url && absolute(clip.share_url);
  const embed = absolute(`/clips/${clip.public_id}/embed`);
  const { width, height } = size;
  return [
    ...page,
    { property: "og:type", content: preview ? "video.other" : "website" },
    { property: "og:image:type", content: "image/jpeg" },
    { property: "og:image:alt", content: clip.highlight_info || sharing.title },
    { property: "og:image:width", content: String(picture.width) },
    { property: "og:image:height", content: String(picture.height) },
    ...(preview
      ? [
          { property: "og:video", content: preview },
          { property: "og:video:secure_url", content: preview },
          { property: "og:video:type", content: "video/mp4" },
          { property: "og:video:width", content: String(width) },
          { property: "og:video:height", content: String(height) },
          ...(clip.duration_seconds
            ? [{ property: "og:video:duration", content: String(Math.round(clip.duration_seconds)) }]
            : []),
        ]
      : []),
    // No twitter:player: with one, Discord shows a page in a frame instead of the video.
    card,
    { name: "twitter:title", content: short.title },
    { name: "twitter:description", content: short.description },
    { name: "twitter:image", content: poster },
    {
      tagName: "link",
      rel: "alternate",
      type: "application/json+oembed",
      title: sharing.title,
      href: absolute(`/oembed?${new URLSearchParams({ url, format: "json" })}`),
    },
    {
      "script:ld+json": {
        "@context": "https://schema.org",
        "@type": "VideoObject",
        name: sharing.title,
        description: sharing.description,
        thumbnailUrl: [poster],
        uploadDate: clip.created_at,
        contentUrl: video,
        embedUrl: embed,
        ...(clip.duration_seconds ? { duration: `PT${Math.round(clip.duration_seconds)}S` } : {}),
        interactionStatistic: [
          {
            "@type": "InteractionCounter",
            interactionType: { "@type": "WatchAction" },
            userInteractionCount: clip.views_count,
          },
          {
            "@type": "InteractionCounter",
            interactionType: { "@type": "LikeAction" },
            userInteractionCount: clip.likes_count,
          },
        ],
        author: { "@type": "Person", name: sharing.created_by },
      },
    },
  ];
}

/** What chat apps show of them, in bytes. */
const longestTitle = 67;
const longestDescription = 347;

/** A text of at most so many bytes of UTF-8, cut between letters and with an ellipsis where it was longer. */
export function cutToBytes(text: string, most: number): string {
  const bytes = (part: string) => new TextEncoder().encode(part).length;
  if (bytes(text) <= most) return text;
  let kept = "";
  for (const { segment } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)) {
    if (bytes(`${kept}${segment}…`) > most) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
