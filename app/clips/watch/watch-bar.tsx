import { type RefObject, useEffect, useState } from "react";
import type { ClipMark } from "../../../contract/schemas/clips.ts";
import { lengthText, positionText } from "../../shell/clock-text.ts";
import { Icon } from "../../shell/pieces/icon.tsx";
import { useHydrated } from "../../shell/use-hydrated.ts";

const speeds = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 4];

interface WatchBarProps {
  video: RefObject<HTMLVideoElement>;
  /** Each has a video of its own. */
  format: string | undefined;
  marks: readonly ClipMark[];
  durationSeconds: number | null;
  onJump: (seconds: number) => void;
}

/** Below the video, whose own controls stay as they are: where its highlights and kills are, speed, theatre. */
export function WatchBar({ video, format, marks, durationSeconds, onJump }: WatchBarProps) {
  return (
    <div className="grid gap-2">
      {marks.length > 0 && durationSeconds ? (
        <MarkStrip marks={marks} durationSeconds={durationSeconds} onJump={onJump} />
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        {marks.length > 0 ? <Steps video={video} marks={marks} onJump={onJump} /> : null}
        <Speed video={video} format={format} />
        <label className="btn btn-quiet ml-auto cursor-pointer outline-offset-3 outline-ct max-xl:hidden has-checked:border-ct has-checked:text-ct has-focus-visible:outline-3">
          <input type="checkbox" className="theatre sr-only" />
          <Icon name="scan" />
          Theatre
        </label>
        {durationSeconds ? (
          <span className="figure text-lg text-fog max-xl:ml-auto">
            <span className="sr-only">Length </span>
            {lengthText(durationSeconds)}
          </span>
        ) : null}
      </div>
    </div>
  );
}

const markColors = { highlight: "bg-flare w-1.5", kill: "bg-chalk w-0.5", defuse: "bg-ct w-1" } as const;

/** The clip's length as a line with its marks. For pointers: the list beside the video has the same marks for everybody. */
function MarkStrip({
  marks,
  durationSeconds,
  onJump,
}: Pick<WatchBarProps, "marks" | "onJump"> & { durationSeconds: number }) {
  return (
    <div
      aria-hidden="true"
      // Not on pointerdown: a finger that begins to scroll here wants to hear nothing.
      onClick={(event) => {
        const { left, width } = event.currentTarget.getBoundingClientRect();
        const pressed = ((event.clientX - left) / width) * durationSeconds;
        const distance = (mark: ClipMark) => Math.abs(mark.seconds - pressed);
        const nearest = [...marks].sort((a, b) => distance(a) - distance(b))[0];
        if (nearest) onJump(nearest.seconds);
      }}
      className="js-only relative h-8 cursor-pointer rounded-md bg-ink forced-color-adjust-none before:absolute before:inset-x-0 before:top-1/2 before:h-px before:bg-line-2"
    >
      {marks.map((mark) => (
        <span
          key={`${mark.highlight_id} ${mark.kind} ${mark.seconds} ${mark.label}`}
          title={`${positionText(mark.seconds)} ${mark.label}`}
          style={{ left: `${Math.min(100, (mark.seconds / durationSeconds) * 100)}%` }}
          className={`absolute inset-y-1.5 -translate-x-1/2 rounded-full ${markColors[mark.kind]}`}
        />
      ))}
    </div>
  );
}

/** So near to a mark it counts as the one where the video stands. */
const atMarkSeconds = 0.75;

function Steps({ video, marks, onJump }: Pick<WatchBarProps, "video" | "marks" | "onJump">) {
  const isHydrated = useHydrated();
  const step = (direction: 1 | -1) => {
    const seconds = nextMark(marks, video.current?.currentTime ?? 0, direction);
    if (seconds !== null) onJump(seconds);
  };
  return (
    <>
      {([-1, 1] as const).map((direction) => (
        <button
          key={direction}
          type="button"
          disabled={!isHydrated}
          onClick={() => step(direction)}
          aria-keyshortcuts={direction < 0 ? "P" : "N"}
          className="js-only btn btn-quiet px-3"
        >
          {direction < 0 ? <Icon name="left" /> : null}
          <span className="max-sm:sr-only">{direction < 0 ? "Previous mark" : "Next mark"}</span>
          {direction > 0 ? <Icon name="right" /> : null}
        </button>
      ))}
    </>
  );
}

/** The mark to go to from a second of the video; null: there is none that way. */
export function nextMark(marks: readonly ClipMark[], from: number, direction: 1 | -1): number | null {
  const seconds = marks.map((mark) => mark.seconds);
  const beyond =
    direction > 0
      ? seconds.filter((second) => second > from + 0.05)
      : seconds.filter((second) => second < from - atMarkSeconds).reverse();
  return beyond[0] ?? null;
}

function Speed({ video, format }: Pick<WatchBarProps, "video" | "format">) {
  const [speed, setSpeed] = useState(1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the video of another format is another one.
  useEffect(() => {
    const { current } = video;
    // By the default, with which a video begins that is loaded later: the other may be set in its own controls as well.
    if (current && current.defaultPlaybackRate !== speed) current.playbackRate = current.defaultPlaybackRate = speed;
  }, [speed, format]);
  return (
    <label className="js-only btn btn-quiet relative cursor-pointer gap-1.5 px-3 focus-within:outline-3 focus-within:outline-offset-3 focus-within:outline-ct">
      <span className="text-fog">Speed</span>
      <select
        value={speed}
        onChange={(event) => setSpeed(Number(event.target.value))}
        className="min-h-9 bg-transparent font-bold text-chalk outline-none [&>option]:bg-ink"
      >
        {speeds.map((value) => (
          <option key={value} value={value}>
            {value}×
          </option>
        ))}
      </select>
    </label>
  );
}
