import type { ClipSpec } from "../../replay/clip-spec.ts";

/** What a stage draws from; buffers are transferred. */
export interface StageParts {
  /** Of the size that is drawn, which the canvas has. Drawn is what of it the track holds, as in videos (`heldSpec`). */
  spec: ClipSpec;
  /** An encoded replay track, or a slice of it. */
  track: ArrayBuffer;
  /** What `unpackGround` reads. */
  ground: ArrayBuffer;
  /** Pictures of the ground, floor by floor from the top. */
  floors: Blob[];
}

/** A player's picture, undecoded. */
export interface StageAvatar {
  /** Index into the players of the match record. */
  player: number;
  picture: Blob;
}

/** Messages to a stage, in a worker or on the page. */
export type ToStage =
  /**
   * What will be written, as far as it is known before it is opened: its fonts are loaded beside the rest, those of letters that few
   * names have only if nothing else is waited for.
   */
  | { type: "letters"; text: string; isRareToo: boolean }
  | { type: "open"; canvas: OffscreenCanvas | HTMLCanvasElement; parts: StageParts }
  /** The same floors at full size. */
  | { type: "floors"; floors: Blob[] }
  /** Pictures of players. Until they come, and for players without one, the first letter of the name is drawn. */
  | { type: "avatars"; avatars: StageAvatar[] }
  | { type: "play" }
  | { type: "pause" }
  | { type: "seek"; frame: number }
  | { type: "speed"; speed: number }
  | { type: "close" };

/** Messages to a worker that only makes the sound of a clip. */
export interface SoundJob {
  type: "sound";
  track: ArrayBuffer;
  spec: ClipSpec;
  frameCount: number;
}

export interface Sound {
  sampleRate: number;
  left: Float32Array;
  right: Float32Array;
}

/** A moment that the viewer can jump to. */
export interface StageMoment {
  frame: number;
  /** "Kill 2 of 4: victim, AK-47", "Bomb defused, 4 of 4" */
  text: string;
}

/** From a stage. */
export type FromStage =
  /** The first frame is drawn. */
  | { type: "opened"; frameCount: number; framesPerSecond: number; moments: StageMoment[] }
  /** Names are written as in the video, rare letters too: what is drawn from here on is the video's. */
  | { type: "lettered" }
  /**
   * `painted`: how many pictures so far; `obeyed`: how many of `play`, `pause` and `seek`; `at`: when, as `Date.now()` says it, since
   * `performance.now()` begins anew in a worker.
   */
  | { type: "frame"; frame: number; isPlaying: boolean; painted: number; obeyed: number; at: number }
  | { type: "failed"; message: string };
