import type { MetaDescriptor } from "@remix-run/node";
import type { ClipDetail } from "../../contract/api.ts";
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
  const url = absolute(`/clips/${clip.id}`);
  const picture = previewPicture(clip, size);
  const poster = picture ? absolute(picture.url) : undefined;
  const page = pageMeta({ title: sharing.title, description: sharing.description, url, image: poster });
  if (!clip.video_url || !poster || !picture)
    return [...page, { name: "twitter:card", content: "summary_large_image" }];

  const video = absolute(clip.video_url);
  // Chat apps show nothing of a video that is too large for them.
  const preview = absolute(clip.share_url ?? clip.video_url);
  const embed = absolute(`/clips/${clip.id}/embed`);
  const { width, height } = size;
  return [
    ...page,
    { property: "og:type", content: "video.other" },
    { property: "og:image:width", content: String(picture.width) },
    { property: "og:image:height", content: String(picture.height) },
    { property: "og:video", content: preview },
    { property: "og:video:secure_url", content: preview },
    { property: "og:video:type", content: "video/mp4" },
    { property: "og:video:width", content: String(width) },
    { property: "og:video:height", content: String(height) },
    { name: "twitter:card", content: "player" },
    { name: "twitter:title", content: sharing.title },
    { name: "twitter:description", content: sharing.description },
    { name: "twitter:image", content: poster },
    { name: "twitter:player", content: embed },
    { name: "twitter:player:width", content: String(width) },
    { name: "twitter:player:height", content: String(height) },
    { name: "twitter:player:stream", content: preview },
    { name: "twitter:player:stream:content_type", content: "video/mp4" },
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
