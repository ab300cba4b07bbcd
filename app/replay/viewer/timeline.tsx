import type { StageMoment } from "../stage-messages.ts";

/** A mark on the position bar. */
export interface ViewerFlag {
  frame: number;
  text: string;
}

interface TimelineProps {
  frame: number;
  /** The number of the last frame. */
  last: number;
  framesPerSecond: number;
  isReady: boolean;
  /** Read out by screen readers: "0:04 of 0:12". */
  positionText: string;
  moments: readonly StageMoment[];
  flags: readonly ViewerFlag[];
  onSeek: (frame: number) => void;
}

/** The slider of the position, with dots for kills and bars for flags. */
export function Timeline({
  frame,
  last,
  framesPerSecond,
  isReady,
  positionText,
  moments,
  flags,
  onSeek,
}: TimelineProps) {
  return (
    <div className="relative">
      <input
        type="range"
        min={0}
        max={last}
        value={frame}
        disabled={!isReady}
        aria-label="Position"
        aria-valuetext={positionText}
        onChange={(event) => onSeek(Number(event.target.value))}
        onKeyDown={(event) => {
          const by = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1 }[event.key];
          if (by === undefined) return;
          event.preventDefault();
          onSeek(Math.min(last, Math.max(0, frame + by * framesPerSecond)));
        }}
        className="block h-8 w-full cursor-pointer accent-flare"
      />
      {last > 0 ? (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-x-2 top-1 h-1.5 forced-color-adjust-none"
        >
          {moments.map((moment) => (
            <span
              key={moment.text}
              className="absolute size-1.5 -translate-x-1/2 rounded-full bg-tee"
              style={{ left: `${(moment.frame / last) * 100}%` }}
            />
          ))}
          {flags.map((flag) => (
            <span
              key={`${flag.frame} ${flag.text}`}
              className="absolute -top-1 h-3.5 w-1 -translate-x-1/2 rounded-full bg-flare"
              style={{ left: `${(flag.frame / last) * 100}%` }}
            />
          ))}
        </span>
      ) : null}
    </div>
  );
}
