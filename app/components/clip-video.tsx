import { useFirstPlay } from "../hooks/use-first-play.ts";

interface ClipVideoProps {
  clip: { id: number; display_name: string; video_url: string | null; poster_url: string | null };
  /** Of the video in pixels: the page keeps the place free. */
  size?: { width: number; height: number };
  className?: string;
}

/** The player of a completed clip: native controls, nothing loaded before it is played. */
export function ClipVideo({ clip, size, className = "" }: ClipVideoProps) {
  const onPlay = useFirstPlay(clip.id);
  if (!clip.video_url) return null;
  return (
    // biome-ignore lint/a11y/useMediaCaption: the sound is synthesised effects without speech; names are drawn in the picture.
    <video
      controls
      playsInline
      preload="none"
      poster={clip.poster_url ?? undefined}
      aria-label={clip.display_name}
      onPlay={onPlay}
      width={size?.width}
      height={size?.height}
      className={`bg-black ${className}`}
    >
      <source src={clip.video_url} type="video/mp4" />
    </video>
  );
}
