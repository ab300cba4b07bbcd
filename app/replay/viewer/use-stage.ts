import { useEffect, useRef, useState } from "react";
import { atFirst, type StageHopes, StagePlayer, type StageSource, type StageState } from "./stage-player.ts";

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

/**
 * Plays a source on a canvas for as long as the component lives. A new source keeps speed and sound, and stays paused if the last one was.
 * @param source the same object for the same clip
 */
export function useStage(source: StageSource, hopes: StageHopes = {}): StageControls {
  const [state, setState] = useState(atFirst);
  const [speed, chooseSpeed] = useState(1);
  const [isSilent, chooseSilent] = useState(() => readSilence());
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  const player = useRef<StagePlayer | null>(null);
  const wishes = useRef({ isToPlay: true, speed, isSilent });
  const latestHopes = useRef(hopes);
  latestHopes.current = hopes;
  const shown = useRef({ source, count: 0 });
  if (shown.current.source !== source) shown.current = { source, count: shown.current.count + 1 };

  useEffect(() => {
    // When the source changes, this still sees the removed canvas once.
    if (!canvas?.isConnected) return;
    setState(atFirst);
    const started = new StagePlayer({
      source,
      canvas,
      wishes: wishes.current,
      hopes: latestHopes,
      report: (change) => setState((before) => ({ ...before, ...change })),
    });
    player.current = started;
    void started.open();
    return () => {
      started.end();
      player.current = null;
    };
  }, [canvas, source]);

  return {
    state,
    speed,
    isSilent,
    canvasKey: shown.current.count,
    canvas: setCanvas,
    play: () => player.current?.play(),
    pause: () => player.current?.pause(),
    seek: (frame) => player.current?.seek(frame),
    setSpeed(chosen) {
      chooseSpeed(chosen);
      wishes.current.speed = chosen;
      player.current?.followWishes();
    },
    setSilent(silent) {
      chooseSilent(silent);
      wishes.current.isSilent = silent;
      keepSilence(silent);
      player.current?.followWishes();
    },
  };
}

function readSilence(): boolean {
  try {
    return localStorage.getItem(soundKey) === "off";
  } catch {
    return false;
  }
}

function keepSilence(isSilent: boolean): void {
  try {
    localStorage.setItem(soundKey, isSilent ? "off" : "on");
  } catch {
    // Storage is refused in some private windows; the choice holds for this page.
  }
}
