import { type ComponentProps, useRef } from "react";
import { limits } from "../../contract/limits.ts";
import { useFirstPlay } from "../hooks/use-first-play.ts";
import { useNearViewport } from "../hooks/use-near-viewport.ts";

interface PlayableClip {
  id: number;
  display_name: string;
  video_url: string | null;
  poster_url: string | null;
}

interface ClipVideoProps {
  clip: PlayableClip;
  /** Of the video in pixels: the page keeps the place free. */
  size: { width: number; height: number };
  className?: string;
}

/** The player of a completed clip on its own page. */
export function ClipVideo({ clip, size, className = "" }: ClipVideoProps) {
  return <Player clip={clip} width={size.width} height={size.height} className={`bg-black ${className}`} />;
}

/**
 * The player of a clip in a list. Until it comes near the viewport it is its poster, loaded lazily, which a video's own cannot
 * be: a page of twenty clips would load twenty. The poster stays below the player, so that nothing flashes between the two.
 * Without JavaScript there is the player alone.
 */
export function ListedClipVideo({ clip, isFirst }: { clip: PlayableClip; isFirst: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const isNear = useNearViewport(place, limits.lazyVideoMarginPixels);
  const player = <Player clip={clip} className="above-cover size-full object-cover" />;
  return (
    <div ref={place} className="relative aspect-video w-full bg-ink">
      {clip.poster_url ? (
        <img
          src={clip.poster_url}
          alt=""
          loading={isFirst ? "eager" : "lazy"}
          // React 18 knows the attribute by its lower-case name only.
          {...(isFirst ? { fetchpriority: "high" } : { decoding: "async" })}
          className="absolute inset-0 size-full object-cover"
        />
      ) : null}
      {isNear ? player : <noscript>{player}</noscript>}
    </div>
  );
}

/** Native controls, nothing loaded before it is played. */
function Player({ clip, ...video }: { clip: PlayableClip } & Omit<ComponentProps<"video">, "controls" | "preload">) {
  const onPlay = useFirstPlay(clip.id);
  if (!clip.video_url) return null;
  return (
    // No captions: the sound is synthesised effects without speech; names are drawn in the picture.
    <video
      controls
      playsInline
      preload="none"
      poster={clip.poster_url ?? undefined}
      aria-label={clip.display_name}
      onPlay={onPlay}
      {...video}
    >
      <source src={clip.video_url} type="video/mp4" />
    </video>
  );
}
