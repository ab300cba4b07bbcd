import type { PlayerIndex } from "./match-record.ts";

/**
 * What a clip shows, stored as JSON with the clip. Rendering is a pure function of this and the replay track, so a clip
 * can be drawn again on any machine at any time.
 */
export interface ClipSpec {
  version: 1;
  segments: ClipSegment[];
  settings: ClipRenderSettings;
  /** The clip's name, shown on the end card. */
  title: string;
  width: number;
  height: number;
  framesPerSecond: number;
}

/** A stretch of one round. The scene plans its speed and the transition to the next one. */
export interface ClipSegment {
  round: number;
  startTick: number;
  /** Exclusive end, may be fractional. */
  endTick: number;
  /** The player the camera follows. */
  player: PlayerIndex;
  captions: ClipCaption[];
  /** Runs as it was played, no faster and no slower anywhere: a round that is watched, moments marked by hand without a kill. */
  isEven?: boolean;
}

/** A caption naming a highlight: from `startTick` to `endTick` of the segment. */
export interface ClipCaption {
  startTick: number;
  endTick: number;
  /** E.g. "1v3 Clutch". */
  label: string;
  /** E.g. "3 kills in 6.2 s, two through smoke". */
  reason: string;
  player: PlayerIndex;
  /** Ticks of the highlight's kills (or defuse), in order. */
  momentTicks: number[];
  /** For a moment marked by hand: the marked span, whatever the segment shows of it. Absent in older specs. */
  marked?: { startTick: number; endTick: number };
}

export interface ClipRenderSettings {
  /** Off hides opponents that the followed team does not see at that moment. */
  xray: boolean;
  hud: boolean;
  radar: boolean;
  killfeed: boolean;
  /** Captions. */
  highlightInfo: boolean;
  watermark: boolean;
}
