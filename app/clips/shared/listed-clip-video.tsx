import { useRef, useState } from "react";
import { limits } from "../../../contract/limits.ts";
import { useNearViewport } from "../../home/use-near-viewport.ts";
import type { ClipSummary } from "../clip-summary.ts";
import { ClipLength } from "./clip-length.tsx";
import { ClipLoop } from "./clip-loop.tsx";
import { type PlayableClip, Player } from "./clip-video.tsx";

type ListedClip = PlayableClip & Pick<ClipSummary, "duration_seconds">;

/**
 * The player of a clip in a list. Until it comes near the viewport it is a picture, loaded lazily, which a video's own poster
 * cannot be: a page of twenty clips would load twenty. The picture stays below the player, so that nothing flashes between the
 * two; between them moves the loop, until the clip is played. Without JavaScript there is the player at once.
 */
export function ListedClipVideo({ clip, isFirst }: { clip: ListedClip; isFirst: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const isNear = useNearViewport(place, limits.lazyVideoMarginPixels);
  const picture = clip.thumbnail_url ?? undefined;
  const [isMoving, setMoving] = useState(false);
  const [isPlayed, setPlayed] = useState(false);
  // An upright one would be cut to a strip of itself.
  const fit = clip.format === "vertical" ? "object-contain" : "object-cover";
  // Out of its box, the player's own poster lets the loop below be seen under its controls.
  const poster = isMoving && !isPlayed ? "object-[200vw_0]" : "";
  const player = (
    <Player
      clip={clip}
      poster={picture}
      onFirstPlay={() => setPlayed(true)}
      className={`above-cover size-full ${fit} ${poster}`}
    />
  );
  return (
    <div ref={place} className="relative aspect-video w-full bg-ink">
      {picture ? (
        <img
          src={picture}
          alt=""
          loading={isFirst ? "eager" : "lazy"}
          // React 18 knows the attribute by its lower-case name only.
          {...(isFirst ? { fetchpriority: "high" } : { decoding: "async" })}
          className={`absolute inset-0 size-full ${fit}`}
        />
      ) : null}
      {clip.loop_url && !isPlayed ? <ClipLoop url={clip.loop_url} onShown={setMoving} /> : null}
      {isNear ? player : <noscript>{player}</noscript>}
      {isPlayed ? null : <ClipLength seconds={clip.duration_seconds} className="top-2 right-2 z-1" />}
    </div>
  );
}
