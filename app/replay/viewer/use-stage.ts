import { useCallback, useEffect, useRef, useState } from "react";
import type { ClipSpec } from "../../../replay/clip-spec.ts";
import { secondsBetween } from "../playhead.ts";
import type { SoundJob, StageAvatar, StageMoment, ToStage } from "../stage-messages.ts";
import { PreviewProblem, pageSized } from "./preview-parts.ts";
import { type ComingSound, makeSound, type PreviewSound } from "./preview-sound.ts";
import { watchDrift } from "./sound-drift.ts";
import { type RunningStage, startStage } from "./start-stage.ts";

/** What a viewer shows; every promise may reject with a `PreviewProblem`. */
export interface StageSource {
  spec: Promise<ClipSpec>;
  /** Called again when it is shown again. */
  track: () => Promise<ArrayBuffer>;
  ground: Promise<ArrayBuffer>;
  small: Promise<Blob[]>;
  fine: () => Promise<Blob[]>;
  avatars: () => Promise<StageAvatar[]>;
  /** Letters of the names that will be drawn, as far as they are known before the track is loaded. */
  letters?: string;
}

export interface StageState {
  /** Null until the first frame is drawn. */
  frameCount: number | null;
  framesPerSecond: number;
  moments: StageMoment[];
  frame: number;
  isPlaying: boolean;
  /** A sentence. */
  problem: string | null;
  /** This browser cannot draw scenes: another try will hardly help. */
  cannotDraw: boolean;
  /** When the problem will have passed, as the server says. */
  retryAfterSeconds: number | null;
  /** Width over height of the canvas. */
  ratio: number;
  /** Sound is made after the picture, and not in every browser. */
  soundState: "coming" | "there" | "missing";
}

const atFirst: StageState = {
  frameCount: null,
  framesPerSecond: 60,
  moments: [],
  frame: 0,
  isPlaying: false,
  problem: null,
  cannotDraw: false,
  retryAfterSeconds: null,
  ratio: 16 / 9,
  soundState: "coming",
};

const soundKey = "preview sound";

export interface StageControls {
  state: StageState;
  speed: number;
  isSilent: boolean;
  /** React key of the canvas. A canvas that was handed to a worker cannot be used again, so every source gets a new one. */
  canvasKey: number;
  canvas: (element: HTMLCanvasElement | null) => void;
  play(): void;
  pause(): void;
  seek(frame: number): void;
  setSpeed(speed: number): void;
  setSilent(isSilent: boolean): void;
}

export interface StageHopes {
  /** Where playback begins. */
  startFrame?: number | undefined;
  onEnd?: (() => void) | undefined;
  /** Several times a second while it plays, and at every jump. */
  onFrame?: ((frame: number) => void) | undefined;
}

/**
 * Runs a stage on a canvas for as long as the component lives: opens it, plays at once, and keeps sound and picture together.
 * A new source keeps the speed, and stays paused if the last one was.
 * @param source the same object for the same clip
 */
export function useStage(source: StageSource, { startFrame = 0, onEnd, onFrame }: StageHopes = {}): StageControls {
  const [state, setState] = useState(atFirst);
  const [speed, chooseSpeed] = useState(1);
  const [isSilent, chooseSilent] = useState(() => readSilence());
  const stage = useRef<RunningStage | null>(null);
  const sound = useRef<PreviewSound | null>(null);
  const now = useRef({ frame: 0, at: 0, framesPerSecond: 60, isPlaying: false, speed: 1, isSilent, lastFrame: 0 });
  now.current.speed = speed;
  now.current.isSilent = isSilent;
  /** Counts orders, so that frames drawn before the last one are known. */
  const orders = useRef(0);
  const told = useRef({ startFrame, onEnd, onFrame });
  told.current = { startFrame, onEnd, onFrame };

  const order = useCallback((message: Extract<ToStage, { type: "play" | "pause" | "seek" }>, to = stage.current) => {
    if (!to) return;
    orders.current++;
    to.send(message);
  }, []);

  const hear = useCallback(() => {
    const { isPlaying, speed: rate, isSilent: silent } = now.current;
    if (isPlaying && !silent) sound.current?.play(secondsSeen(now.current), rate);
    else sound.current?.pause();
  }, []);

  const [isAdrift] = useState(watchDrift);
  /** Restarts the sound when it has drifted from the picture. */
  const keepTogether = useCallback(() => {
    const heard = sound.current?.position() ?? null;
    if (heard === null) return;
    const { speed: rate, at } = now.current;
    const report = {
      seen: secondsSeen(now.current),
      heard,
      speed: rate,
      ageMs: Date.now() - at,
      now: performance.now(),
    };
    if (isAdrift(report)) hear();
  }, [hear, isAdrift]);

  /** Whether the viewer wants it to play, also while it is still loading. */
  const isToPlay = useRef(true);
  /** The frame to which the viewer has moved while it was loading. */
  const wanted = useRef<number | null>(null);
  const shown = useRef({ source, count: 0 });
  if (shown.current.source !== source) shown.current = { source, count: shown.current.count + 1 };
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  useEffect(() => {
    // When the source changes, this still sees the removed canvas once.
    if (!canvas?.isConnected) return;
    let isOver = false;
    let coming: ComingSound | null = null;
    setState(atFirst);
    wanted.current = null;
    const fail = (error: unknown) => {
      if (isOver) return;
      const cannotDraw = !(error instanceof PreviewProblem);
      const problem = cannotDraw
        ? "This cannot be played here. Try another browser, or create the clip."
        : error.message;
      const retryAfterSeconds = cannotDraw ? null : error.retryAfterSeconds;
      setState((before) => ({ ...before, problem, cannotDraw, retryAfterSeconds, isPlaying: false }));
      now.current.isPlaying = false;
      hear();
    };
    const run = async () => {
      const parts = Promise.all([source.spec, source.track(), source.ground, source.small]);
      // Awaited below; until then a rejection would count as unhandled.
      parts.catch(() => {});
      let forSound: SoundJob | null = null;
      const started = await startStage(
        canvas,
        (message) => {
          if (isOver) return;
          if (message.type === "failed") fail(new Error(message.message));
          else if (message.type === "opened") {
            const { frameCount, framesPerSecond, moments } = message;
            now.current.framesPerSecond = framesPerSecond;
            // A hidden page draws nothing: the sound would play alone.
            if (document.visibilityState !== "visible") isToPlay.current = false;
            now.current.isPlaying = isToPlay.current;
            now.current.at = Date.now();
            now.current.lastFrame = frameCount - 1;
            setState((before) => ({ ...before, frameCount, framesPerSecond, moments, isPlaying: isToPlay.current }));
            started.send({ type: "speed", speed: now.current.speed });
            if (isToPlay.current) order({ type: "play" }, started);
            const first = wanted.current ?? told.current.startFrame;
            if (first > 0) order({ type: "seek", frame: first }, started);
            void source.fine().then(
              (fine) => !isOver && started.send({ type: "floors", floors: fine }),
              () => {},
            );
            void source.avatars().then(
              // An empty list would only redraw the same picture.
              (avatars) => !isOver && avatars.length > 0 && started.send({ type: "avatars", avatars }),
              () => {},
            );
            if (!forSound) return;
            coming = makeSound({ ...forSound, frameCount }, hear);
            void coming.made.then((made) => {
              if (isOver) return made?.end();
              sound.current = made;
              setState((before) => ({ ...before, soundState: made ? "there" : "missing" }));
              hear();
            });
          } else if (message.type === "frame") {
            // Drawn before the stage got the last order: the slider would jump back.
            if (message.obeyed < orders.current) return;
            const wasPlaying = now.current.isPlaying;
            now.current.frame = message.frame;
            now.current.at = message.at;
            now.current.isPlaying = message.isPlaying;
            setState((before) => ({ ...before, frame: message.frame, isPlaying: message.isPlaying }));
            told.current.onFrame?.(message.frame);
            if (wasPlaying && !message.isPlaying) {
              hear();
              if (message.frame >= now.current.lastFrame) told.current.onEnd?.();
            } else if (message.isPlaying) keepTogether();
          }
        },
        fail,
        source.letters,
      );
      if (isOver) return started.end();
      stage.current = started;
      orders.current = 0;
      const [whole, track, ground, floors] = await parts;
      if (isOver) return;
      const spec = pageSized(whole);
      forSound = { type: "sound", spec, track: track.slice(0), frameCount: 0 };
      setState((before) => ({ ...before, ratio: spec.width / spec.height }));
      const own = { spec, track: track.slice(0), ground: ground.slice(0), floors };
      const { surface } = started;
      const handedOver = surface === canvas ? [] : [surface as OffscreenCanvas, own.track, own.ground];
      started.send({ type: "open", canvas: surface, parts: own }, handedOver);
    };
    run().catch(fail);
    // A hidden page draws nothing: the sound would run ahead.
    const onHidden = () => {
      if (document.visibilityState === "visible" || !now.current.isPlaying) return;
      now.current.isPlaying = false;
      isToPlay.current = false;
      order({ type: "pause" });
      hear();
    };
    document.addEventListener("visibilitychange", onHidden);
    return () => {
      isOver = true;
      document.removeEventListener("visibilitychange", onHidden);
      stage.current?.end();
      coming?.giveUp();
      sound.current?.end();
      stage.current = null;
      sound.current = null;
    };
  }, [canvas, source, hear, keepTogether, order]);

  const play = () => {
    if (state.frameCount !== null && now.current.frame >= state.frameCount - 1) now.current.frame = 0;
    now.current.at = Date.now();
    now.current.isPlaying = true;
    isToPlay.current = true;
    order({ type: "play" });
    setState((before) => ({ ...before, isPlaying: true }));
    hear();
  };
  /** `state.isPlaying` follows once the stage tells at which frame it stopped. */
  const pause = () => {
    now.current.isPlaying = false;
    isToPlay.current = false;
    order({ type: "pause" });
    hear();
  };
  const seek = (frame: number) => {
    wanted.current = frame;
    now.current.frame = frame;
    now.current.at = Date.now();
    order({ type: "seek", frame });
    setState((before) => ({ ...before, frame }));
    // The next key press refers to this frame, even if the stage has not drawn it yet.
    told.current.onFrame?.(frame);
    hear();
  };
  const setSpeed = (chosen: number) => {
    chooseSpeed(chosen);
    now.current.speed = chosen;
    stage.current?.send({ type: "speed", speed: chosen });
    hear();
  };
  const setSilent = (silent: boolean) => {
    chooseSilent(silent);
    now.current.isSilent = silent;
    try {
      localStorage.setItem(soundKey, silent ? "off" : "on");
    } catch {
      // Storage is refused in some private windows; the choice holds for this page.
    }
    hear();
  };
  return {
    state,
    speed,
    isSilent,
    canvasKey: shown.current.count,
    canvas: setCanvas,
    play,
    pause,
    seek,
    setSpeed,
    setSilent,
  };
}

/** Position of the picture now, in seconds of the clip, from the frame it was last told to be at. */
function secondsSeen(told: { frame: number; at: number; framesPerSecond: number; isPlaying: boolean; speed: number }) {
  const since = told.isPlaying ? secondsBetween(told.at, Date.now()) : 0;
  return told.frame / told.framesPerSecond + since * told.speed;
}

function readSilence(): boolean {
  try {
    return localStorage.getItem(soundKey) === "off";
  } catch {
    return false;
  }
}
