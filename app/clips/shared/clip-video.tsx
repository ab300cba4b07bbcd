import { type ComponentProps, forwardRef } from "react";
import type { ClipSummary } from "../clip-summary.ts";
import { fromSecond } from "../watch/start-time.ts";
import { useFirstPlay } from "./use-first-play.ts";

export type PlayableClip = Pick<
  ClipSummary,
  "public_id" | "display_name" | "format" | "video_url" | "poster_url" | "thumbnail_url" | "loop_url"
>;

interface ClipVideoProps extends Pick<ComponentProps<"video">, "onPlaying" | "onEnded"> {
  clip: PlayableClip;
  /** Of the video in pixels: the page keeps the place free. */
  size: { width: number; height: number };
  /** Where it begins. */
  startSeconds: number;
  className?: string;
}

/** The player of a completed clip on its own page. */
export const ClipVideo = forwardRef<HTMLVideoElement, ClipVideoProps>(function ClipVideo(
  { clip, size, startSeconds, className = "", ...events },
  ref,
) {
  return (
    <Player
      ref={ref}
      clip={{ ...clip, video_url: clip.video_url && fromSecond(clip.video_url, startSeconds) }}
      poster={clip.poster_url ?? undefined}
      width={size.width}
      height={size.height}
      className={`bg-black ${className}`}
      {...events}
    />
  );
});

interface PlayerProps extends Omit<ComponentProps<"video">, "controls" | "preload" | "ref"> {
  clip: PlayableClip;
  onFirstPlay?: () => void;
}

/** Native controls, nothing loaded before it is played. */
export const Player = forwardRef<HTMLVideoElement, PlayerProps>(function Player({ clip, onFirstPlay, ...video }, ref) {
  const countView = useFirstPlay(clip.public_id);
  const onPlay = () => {
    countView();
    onFirstPlay?.();
  };
  if (!clip.video_url) return null;
  return (
    // No captions: the sound is synthesised effects without speech; names are drawn in the picture.
    <video ref={ref} controls playsInline preload="none" aria-label={clip.display_name} onPlay={onPlay} {...video}>
      <source src={clip.video_url} type="video/mp4" />
    </video>
  );
});
