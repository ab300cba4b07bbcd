import {
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { lengthText, positionText } from "../../shell/clock-text.ts";
import type { StageMoment } from "../stage-messages.ts";
import { takesLetters } from "./keys-of-field.ts";
import { momentsAround, startOf } from "./moments-around.ts";
import type { StageHopes, StageSource } from "./stage-player.ts";
import { useLaterTry } from "./use-later-try.ts";
import { useStage } from "./use-stage.ts";
import { ViewerIcon, type ViewerIconName } from "./viewer-icon.tsx";

const speeds = [0.25, 0.5, 1, 2, 4] as const;

const soundTitles = {
  coming: "The sound is being made",
  there: "Sound",
  missing: "This browser cannot make the sound",
};

interface ViewerFlag {
  frame: number;
  text: string;
}

interface ReplayViewerProps {
  /** What is shown: "Ace by somebody, round 4". */
  title: string;
  source: StageSource;
  /** Addresses of stills: the first is shown while the scene loads, all of them if it cannot be drawn. */
  stills?: readonly string[];
  /** A page with these stills, for browsers that cannot draw. */
  stillsPage?: string;
  onClose?: () => void;
  onAgain: () => void;
  hopes?: StageHopes;
  /** Marks on the position bar besides kills. */
  flags?: readonly ViewerFlag[];
  /** @param frame the one that is shown */
  children?: (seek: (frame: number) => void, frame: number) => ReactNode;
}

/** Plays a scene on a canvas, with the controls of a video player for pointer, keyboard and screen reader. */
export function ReplayViewer({
  title,
  source,
  stills = [],
  stillsPage,
  onClose,
  onAgain,
  hopes,
  flags = [],
  children,
}: ReplayViewerProps) {
  const stage = useStage(source, hopes);
  const { state, speed, isSilent, canvasKey, canvas, play, pause, seek, setSpeed, setSilent } = stage;
  const { frameCount, framesPerSecond, moments, frame, isPlaying, problem, cannotDraw, ratio, soundState } = state;
  const { retryAfterSeconds } = state;
  const [told, setTold] = useState("");
  const region = useRef<HTMLElement>(null);
  // A viewer that was opened by a button takes the focus; one that came with the page does not.
  const isOpened = onClose !== undefined;
  useEffect(() => {
    if (!isOpened) return;
    region.current?.focus({ preventScroll: true });
    region.current?.scrollIntoView({ block: "nearest" });
  }, [isOpened]);

  // Submitting the form around it creates a clip and scrolls to that: the preview's sound would go on out of sight.
  const pauseNow = useRef(pause);
  pauseNow.current = pause;
  useEffect(() => {
    const form = region.current?.closest("form");
    const onSubmit = () => pauseNow.current();
    form?.addEventListener("submit", onSubmit);
    return () => form?.removeEventListener("submit", onSubmit);
  }, []);

  const last = Math.max(0, (frameCount ?? 1) - 1);
  const isReady = frameCount !== null && problem === null;
  const laterTry = useLaterTry(retryAfterSeconds, isReady, onAgain);
  const length = lengthText((last + 1) / framesPerSecond);
  // The last frame begins before the end, but stands for it.
  const position = frame > 0 && frame === last ? length : positionText(frame / framesPerSecond);
  const focusEvents = useHeldFocus(region);
  const { before, next } = momentsAround(moments, frame, framesPerSecond);
  const jump = (moment: (typeof moments)[number] | undefined) => {
    if (!moment) return;
    seek(startOf(moment, framesPerSecond));
    setTold(moment.text);
  };
  const toggle = () => (isPlaying ? pause() : play());
  const isFull = useFullScreen(region);
  const toggleFull = () => {
    const change = isFull ? document.exitFullscreen() : region.current?.requestFullscreen();
    // If the browser refuses, the size stays as it is.
    change?.catch(() => {});
  };
  const actionOf = (key: string, isOnSlider: boolean, isOnRegion: boolean): (() => void) | undefined => {
    if (key === "k" || (key === " " && isOnRegion)) return toggle;
    if (key === "n") return () => jump(next);
    if (key === "p") return () => jump(before);
    if (key === "m") return () => setSilent(!isSilent);
    if (key === "f" && document.fullscreenEnabled) return toggleFull;
    // Most browsers leave full screen at Escape themselves, but not all.
    if (key === "Escape") return isFull ? toggleFull : onClose;
    const frames = {
      ",": -1,
      ".": 1,
      ...(isOnSlider ? {} : { ArrowLeft: -framesPerSecond, ArrowRight: framesPerSecond }),
    };
    const by = (frames as Record<string, number | undefined>)[key];
    return by === undefined ? undefined : () => seek(Math.min(last, Math.max(0, frame + by)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(isReady || event.key === "Escape")) return;
    const target = event.target as HTMLInputElement;
    if (takesLetters(target) && event.key !== "Escape") return;
    const act = actionOf(event.key, target.tagName === "INPUT", target === region.current);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  const note = problem ? (
    <ProblemNote
      problem={problem}
      stillsPage={cannotDraw ? stillsPage : undefined}
      laterTry={laterTry}
      className={stills.length > 0 ? "" : "absolute inset-0 bg-void/85"}
    />
  ) : null;
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={title}
      onKeyDown={onKeyDown}
      {...focusEvents}
      className={`viewer panel my-2 grid min-w-0 grid-cols-1 overflow-hidden outline-offset-2 ${children ? "viewer-with-more" : ""}`}
      style={{ "--ratio": ratio } as CSSProperties}
    >
      {problem && stills.length > 0 ? (
        <div className={`viewer-picture mx-auto grid w-full gap-1 ${stills.length > 1 ? "grid-cols-2" : ""}`}>
          {stills.map((address) => (
            <span key={address} className="still">
              <img src={address} alt="" />
            </span>
          ))}
        </div>
      ) : null}
      <div
        hidden={problem !== null && stills.length > 0}
        className="viewer-picture relative mx-auto w-full bg-void bg-cover bg-center"
        style={{
          aspectRatio: ratio,
          ...(stills[0] && frameCount === null ? { backgroundImage: `url("${stills[0]}")` } : {}),
        }}
      >
        <canvas
          key={canvasKey}
          ref={canvas}
          width={1280}
          height={720}
          onClick={isReady ? toggle : undefined}
          role="img"
          aria-label={title}
          data-ready={isReady || undefined}
          className={`block size-full ${isReady ? "cursor-pointer" : "opacity-0"}`}
        />
        {isReady || problem ? null : (
          <p role="status" className="absolute inset-0 grid place-items-center bg-void/50 text-sm font-semibold">
            <span className="flex items-center gap-2.5 rounded-full bg-void/85 px-4 py-2">
              <span className="size-4 animate-spin rounded-full border-2 border-fog border-t-transparent" />
              {isOpened ? "Loading preview..." : "Loading round..."}
            </span>
          </p>
        )}
        {stills.length > 0 ? null : note}
      </div>
      {stills.length > 0 ? note : null}
      <div className="grid grid-cols-1 gap-1 px-3 pt-2 pb-3 sm:px-4">
        <Timeline
          frame={frame}
          last={last}
          framesPerSecond={framesPerSecond}
          isReady={isReady}
          positionText={`${position} of ${length}`}
          moments={moments}
          flags={flags}
          onSeek={seek}
        />
        <div className="flex flex-wrap items-center gap-x-1.5 gap-y-1">
          <ViewerButton
            label={isPlaying ? "Pause" : "Play"}
            icon={isPlaying ? "pause" : "play"}
            onPress={toggle}
            isOff={!isReady}
          />
          <ViewerButton
            label="Previous kill"
            icon="previous"
            onPress={() => jump(before)}
            isOff={!isReady || !before}
          />
          <ViewerButton label="Next kill" icon="next" onPress={() => jump(next)} isOff={!isReady || !next} />
          <span className="px-1.5 text-sm tabular-nums">
            {position} <span className="text-fog">/ {isReady ? length : "–:––"}</span>
          </span>
          <span className="ml-auto flex items-center gap-1.5">
            <label className="flex min-h-11 items-center gap-2 text-sm">
              <span className="max-sm:sr-only">Speed</span>
              <select
                value={speed}
                disabled={!isReady}
                onChange={(event) => setSpeed(Number(event.target.value))}
                className="field min-h-11 w-auto py-1 pr-7 pl-2.5 text-sm"
              >
                {speeds.map((choice) => (
                  <option key={choice} value={choice}>
                    {choice} ×
                  </option>
                ))}
              </select>
            </label>
            <button
              type="button"
              aria-pressed={!isSilent}
              aria-label="Sound"
              title={soundTitles[soundState]}
              aria-disabled={soundState !== "there" || undefined}
              onClick={soundState === "there" ? () => setSilent(!isSilent) : undefined}
              className="btn btn-quiet size-11 px-0 aria-disabled:opacity-45"
            >
              <ViewerIcon name={isSilent ? "muted" : "sound"} />
            </button>
            {document.fullscreenEnabled ? (
              <ViewerButton
                label={isFull ? "Leave full screen" : "Full screen"}
                icon={isFull ? "small" : "full"}
                onPress={toggleFull}
              />
            ) : null}
            {onClose ? <ViewerButton label="Close preview" icon="close" onPress={onClose} /> : null}
          </span>
        </div>
        {children?.(seek, frame)}
        <p role="status" className="sr-only">
          {told}
        </p>
      </div>
    </section>
  );
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
function Timeline({ frame, last, framesPerSecond, isReady, positionText, moments, flags, onSeek }: TimelineProps) {
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

interface ProblemNoteProps {
  problem: string;
  stillsPage: string | undefined;
  laterTry: ReturnType<typeof useLaterTry>;
  className: string;
}

function ProblemNote({ problem, stillsPage, laterTry, className }: ProblemNoteProps) {
  return (
    <div role="alert" className={`grid place-content-center justify-items-center gap-3 p-4 text-center ${className}`}>
      <p className="max-w-prose font-semibold">{problem}</p>
      <p className="flex flex-wrap items-center justify-center gap-2">
        {stillsPage ? (
          <a href={stillsPage} className="btn btn-quiet">
            See the stills
          </a>
        ) : null}
        <button type="button" className="btn btn-quiet" onClick={laterTry.onPress}>
          Try again
        </button>
        {laterTry.waitSeconds === null ? null : <span className="text-sm">or wait {laterTry.waitSeconds} s</span>}
      </p>
    </div>
  );
}

/**
 * Keeps the focus in the viewer, which hears keys only there. When the focused control is disabled or removed while the next source
 * loads, the viewer itself takes the focus, and gives it back once the control is usable again.
 */
function useHeldFocus(region: RefObject<HTMLElement>) {
  const holder = useRef<HTMLElement | null>(null);
  const returnsTo = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const { current: around } = region;
    const { current: held } = holder;
    if (!around || !held) return;
    if (!held.isConnected || held.matches(":disabled")) {
      returnsTo.current = held.isConnected ? held : null;
      around.focus({ preventScroll: true });
    } else if (held === around) returnsTo.current?.focus({ preventScroll: true });
    else returnsTo.current = null;
  });
  return {
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      holder.current = target;
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget)) holder.current = null;
    },
  };
}

function useFullScreen(region: RefObject<HTMLElement>): boolean {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const onChange = () =>
      setFull(document.fullscreenElement !== null && document.fullscreenElement === region.current);
    document.addEventListener("fullscreenchange", onChange);
    return () => document.removeEventListener("fullscreenchange", onChange);
  }, [region]);
  return isFull;
}

interface ViewerButtonProps {
  label: string;
  icon: ViewerIconName;
  onPress: () => void;
  isOff?: boolean;
}

function ViewerButton({ label, icon, onPress, isOff = false }: ViewerButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={isOff || undefined}
      onClick={isOff ? undefined : onPress}
      className="btn btn-quiet size-11 px-0 aria-disabled:opacity-45"
    >
      <ViewerIcon name={icon} />
    </button>
  );
}
