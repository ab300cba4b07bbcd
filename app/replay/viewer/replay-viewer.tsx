import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { lengthText, positionText } from "../../shell/clock-text.ts";
import type { StageMoment } from "../stage-messages.ts";
import { takesLetters } from "./keys-of-field.ts";
import { momentsAround, startOf } from "./moments-around.ts";
import type { StageHopes, StageSource } from "./stage-player.ts";
import { Timeline, type ViewerFlag } from "./timeline.tsx";
import { useFullScreen } from "./use-full-screen.ts";
import { useHeldFocus } from "./use-held-focus.ts";
import { useLaterTry } from "./use-later-try.ts";
import { useStage } from "./use-stage.ts";
import { ViewerControls } from "./viewer-controls.tsx";

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
  const { state, isSilent, canvasKey, canvas, play, pause, seek, setSilent } = stage;
  const { frameCount, framesPerSecond, moments, frame, isPlaying, problem, cannotDraw, retryAfterSeconds, ratio } =
    state;
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
  const jump = (moment: StageMoment | undefined) => {
    if (!moment) return;
    seek(startOf(moment, framesPerSecond));
    setTold(moment.text);
  };
  const toggle = () => (isPlaying ? pause() : play());
  const { isFull, toggleFull } = useFullScreen(region);
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
        <ViewerControls
          stage={stage}
          isReady={isReady}
          position={position}
          length={length}
          before={before}
          next={next}
          jump={jump}
          toggle={toggle}
          isFull={isFull}
          toggleFull={toggleFull}
          onClose={onClose}
        />
        {children?.(seek, frame)}
        <p role="status" className="sr-only">
          {told}
        </p>
      </div>
    </section>
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
