import { useFirstPlay } from "../hooks/use-first-play.ts";

interface ClipVideoProps {
  clip: { id: number; display_name: string; video_url: string | null; poster_url: string | null };
  /** Of the video in pixels: the page keeps the place free. */
  size?: { width: number; height: number };
  /** In lists: the poster loads when it comes near the viewport, which a video's own poster cannot, script or not. */
  lazyPoster?: boolean;
  className?: string;
}

/** The player of a completed clip: native controls, nothing loaded before it is played. */
export function ClipVideo({ clip, size, lazyPoster = false, className = "" }: ClipVideoProps) {
  const onPlay = useFirstPlay(clip.id);
  if (!clip.video_url) return null;
  const player = (
    // biome-ignore lint/a11y/useMediaCaption: the sound is synthesised effects without speech; names are drawn in the picture.
    <video
      controls
      playsInline
      preload="none"
      poster={lazyPoster ? undefined : (clip.poster_url ?? undefined)}
      aria-label={clip.display_name}
      onPlay={onPlay}
      width={size?.width}
      height={size?.height}
      className={lazyPoster ? "absolute inset-0 size-full object-cover" : `bg-black ${className}`}
    >
      <source src={clip.video_url} type="video/mp4" />
    </video>
  );
  if (!lazyPoster) return player;
  return (
    <div className={`bg-black ${className}`}>
      {clip.poster_url ? (
        <img
          src={clip.poster_url}
          alt=""
          loading="lazy"
          decoding="async"
          className="absolute inset-0 size-full object-cover"
        />
      ) : null}
      {player}
    </div>
  );
}
