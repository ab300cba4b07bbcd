import { type KeyboardEvent, type RefObject, useState } from "react";
import type { ClipVideo as VideoOfClip } from "../../../contract/schemas/clips.ts";
import { lengthText } from "../../shell/clock-text.ts";
import { latePart, nothing } from "../../shell/pieces/late-part.tsx";
import { ClipVideo } from "../shared/clip-video.tsx";
import { isPlayable } from "../shared/is-playable.ts";
import type { PolledClip } from "../shared/use-polled-clips.ts";
import type { SmallClip } from "./related-clips.tsx";
import { nextMark, WatchBar } from "./watch-bar.tsx";

/** For clips that are not finished. */
const Waiting = latePart(() => import("./waiting.tsx"));
/** Needed only at the end of the video. */
const UpNext = latePart(() => import("./up-next.tsx"), nothing);

interface WatchStageProps {
  clip: PolledClip;
  video: RefObject<HTMLVideoElement>;
  /** The format that is shown; none while the clip is not finished. */
  shown: VideoOfClip | undefined;
  /** Of the video where no format is shown. */
  size: { width: number; height: number };
  startSeconds: number;
  /** The clip that is offered at the end. */
  next: SmallClip | undefined;
  onJump: (seconds: number) => void;
}

/** The video with the bar of its marks, or what is known of a clip that is not finished. */
export function WatchStage({ clip, video, shown, size, startSeconds, next, onJump }: WatchStageProps) {
  const { marks = [], duration_seconds: length } = clip;
  const [phase, setPhase] = useState<"new" | "played" | "ended">("new");
  const [phaseOf, setPhaseOf] = useState(shown?.format);
  // Another format is another video, at its beginning.
  if (phaseOf !== shown?.format) {
    setPhaseOf(shown?.format);
    setPhase("new");
  }

  /** Handles single letters only while the focus is within the player (WCAG 2.1.4). */
  function onKeyDown(event: KeyboardEvent) {
    const key = event.key.toLowerCase();
    if ((key !== "n" && key !== "p") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLSelectElement) return;
    const seconds = nextMark(marks, video.current?.currentTime ?? 0, key === "n" ? 1 : -1);
    if (seconds !== null) onJump(seconds);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys for what is in it; each has a button besides.
    <div className="watch-stage grid min-w-0 gap-3" onKeyDown={onKeyDown}>
      {isPlayable(clip) ? (
        <>
          <div className="relative max-sm:-mx-4">
            <ClipVideo
              key={shown?.format}
              ref={video}
              clip={{ ...clip, ...(shown ? { video_url: shown.video_url, poster_url: shown.poster_url } : {}) }}
              size={shown ?? size}
              startSeconds={startSeconds}
              onPlaying={() => setPhase("played")}
              onEnded={() => setPhase("ended")}
              className="max-h-[min(85dvh,calc(100dvh-7rem))] w-full rounded-2xl ring-1 ring-line max-sm:rounded-none"
            />
            {phase === "new" && length ? (
              <span
                aria-hidden="true"
                className="figure pointer-events-none absolute top-3 right-3 rounded bg-void/80 px-2 text-lg"
              >
                {lengthText(length)}
              </span>
            ) : null}
            {phase === "ended" && next ? <UpNext next={next} video={video} onClose={() => setPhase("played")} /> : null}
          </div>
          <WatchBar video={video} format={shown?.format} marks={marks} durationSeconds={length} onJump={onJump} />
          <p role="status" className="sr-only">
            {phase === "ended" && next ? `The clip has ended. Up next: ${next.display_name}` : ""}
          </p>
        </>
      ) : (
        <Waiting clip={clip} size={size} />
      )}
    </div>
  );
}
