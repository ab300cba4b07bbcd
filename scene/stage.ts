import type { ClipCaption, ClipRenderSettings } from "../replay/clip-spec.ts";
import type { PlayerIndex, Side } from "../replay/match-record.ts";
import type { PlayerState } from "../replay/sample-track.ts";
import type { CameraView } from "./camera.ts";
import type { Colour, DisplayList, Sprite } from "./display-list.ts";
import { easeOut, mix } from "./easing.ts";
import type { Layout } from "./layout.ts";
import type { Relief } from "./relief/build-relief.ts";
import { groundSquash, heightLift, type Projection } from "./relief/projection.ts";
import type { SegmentTimeline } from "./segment-timeline.ts";
import type { TeamSight } from "./sight.ts";
import { type SpriteShelf, type TextLook, textPadding } from "./sprite-shelf.ts";
import type { TimeMap } from "./time-map.ts";

/** What all layers of a segment share. */
export interface Stage {
  width: number;
  height: number;
  layout: Layout;
  /** Frame pixels per layout unit. */
  unit: number;
  framesPerSecond: number;
  settings: ClipRenderSettings;
  shelf: SpriteShelf;
  relief: Relief;
  timeline: SegmentTimeline;
  timeMap: TimeMap;
  /** Absent with x-ray on: then everybody is seen. */
  sight: TeamSight | null;
  /** Names as drawn, by player. */
  names: readonly string[];
  /** Initials of players without a picture: the first letter of each name, and a second one if team-mates share the first. */
  initials: readonly string[];
  /** One letter each, for places where two do not fit. */
  singleInitials: readonly string[];
  /** Captions whose title is shown in this segment and not in another one of the clip. */
  introduced: ReadonlySet<ClipCaption>;
}

/** A player at one moment, placed in the frame. */
export interface StagedPlayer {
  player: PlayerIndex;
  side: Side;
  state: PlayerState;
  isAlive: boolean;
  isFollowed: boolean;
  /** Frame pixels. */
  x: number;
  y: number;
  /** 0..1: faded when unseen, dimmed on another floor than the one shown. */
  opacity: number;
}

/** A time of the segment. */
export interface Instant {
  tick: number;
  /** Seconds of video since the segment began. */
  seconds: number;
  /** Frame of the segment, from 0. */
  frame: number;
}

/** One moment to draw. */
export interface Moment extends Instant {
  view: Viewport;
  players: readonly StagedPlayer[];
}

/** Adds its operations for a moment. */
export type Layer = (list: DisplayList, moment: Moment) => void;

/** A layer that does not depend on the camera: what it covers is known before the camera is planned. */
export type Panel = (list: DisplayList, time: Instant) => void;

/** The layers of a frame. */
export type LayerName =
  | "map"
  | "callouts"
  | "sites"
  | "fire"
  | "trails"
  | "deaths"
  | "bomb"
  | "smoke"
  | "veil"
  | "viewCones"
  | "shots"
  | "players"
  | "projectiles"
  | "bursts"
  | "names"
  | "radar"
  | "killFeed"
  | "scoreboard"
  | "strips"
  | "playerPanel"
  | "speed"
  | "flashes"
  | "title"
  | "banner"
  | "clutchScore"
  | "watermark"
  | "dissolve"
  | "endCard";

export interface NamedLayer {
  name: LayerName;
  draw: Layer;
}

export interface NamedPanel {
  name: LayerName;
  draw: Panel;
}

/** The camera of one frame as an affine map from world units to frame pixels. */
export class Viewport {
  /** Frame pixels per world unit, west to east. */
  readonly pixelsPerUnit: number;
  readonly camera: CameraView;
  readonly #xOffset: number;
  readonly #yOffset: number;
  readonly #perY: number;
  readonly #perZ: number;

  constructor(projection: Projection, camera: CameraView, frameWidth: number) {
    const zoom = frameWidth / camera.width;
    const scale = projection.scale * zoom;
    this.camera = camera;
    this.pixelsPerUnit = scale;
    this.#perY = -scale * groundSquash;
    this.#perZ = -scale * heightLift;
    this.#xOffset = (projection.margin - projection.west) * scale - camera.left * zoom;
    this.#yOffset =
      ((projection.north + projection.margin) * groundSquash + projection.referenceHeight * heightLift) * scale -
      camera.top * zoom;
  }

  x(x: number): number {
    return x * this.pixelsPerUnit + this.#xOffset;
  }

  y(y: number, z: number): number {
    return y * this.#perY + z * this.#perZ + this.#yOffset;
  }
}

export function put(list: DisplayList, sprite: Sprite, x: number, y: number, alpha = 1): void {
  if (alpha > 0.004) list.push({ op: "sprite", sprite, x: Math.round(x), y: Math.round(y), alpha });
}

export function putCentred(list: DisplayList, sprite: Sprite, x: number, y: number, alpha = 1): void {
  put(list, sprite, x - sprite.width / 2, y - sprite.height / 2, alpha);
}

/** Adds a sprite scaled to a width; widths step by 3 % so that a painter's cache of scaled copies stays small. */
export function putScaled(
  list: DisplayList,
  sprite: Sprite,
  x: number,
  y: number,
  width: number,
  flatten: number,
  alpha: number,
): void {
  if (alpha <= 0.004 || width < 1) return;
  const stepped = 1.03 ** Math.round(Math.log(width) / Math.log(1.03));
  const height = stepped * (sprite.height / sprite.width) * flatten;
  list.push({ op: "scaled", sprite, x, y, width: stepped, height, alpha });
}

/** Adds a sprite turned by an angle (clockwise in the frame), scaled, then flattened. */
export function putTurned(
  list: DisplayList,
  sprite: Sprite,
  x: number,
  y: number,
  angle: number,
  scale: number,
  flatten: number,
  alpha: number,
): void {
  if (alpha <= 0.004) return;
  if (angle === 0) {
    // The same picture, but faster to paint.
    const [width, height] = [sprite.width * scale, sprite.height * scale * flatten];
    list.push({ op: "scaled", sprite, x, y, width, height, alpha });
    return;
  }
  const cos = Math.cos(angle) * scale;
  const sin = Math.sin(angle) * scale;
  list.push({ op: "affine", sprite, x, y, a: cos, b: sin * flatten, c: -sin, d: cos * flatten, alpha });
}

/** Adds text composed of single letters, so that changing numbers need no new sprites. Digits are as wide as an 8. */
export function putNumber(
  list: DisplayList,
  stage: Stage,
  text: string,
  look: TextLook,
  x: number,
  middle: number,
  align: "left" | "centre" | "right",
): void {
  const { shelf, unit } = stage;
  const digitWidth = shelf.line("8", look).width;
  let width = 0;
  for (const letter of text) width += isDigit(letter) ? digitWidth : shelf.line(letter, look).width;
  let left = x - (align === "left" ? 0 : align === "right" ? width * unit : (width * unit) / 2);
  for (const letter of text) {
    const sprite = shelf.text(letter, look);
    const own = shelf.line(letter, look).width;
    const advance = isDigit(letter) ? digitWidth : own;
    put(list, sprite, left + ((advance - own) / 2 - textPadding) * unit, middle - sprite.height / 2);
    left += advance * unit;
  }
}

function isDigit(letter: string): boolean {
  return letter >= "0" && letter <= "9";
}

export function putBar(
  list: DisplayList,
  x: number,
  y: number,
  width: number,
  height: number,
  colour: Colour,
  alpha = 1,
): void {
  if (width > 0 && alpha > 0) list.push({ op: "rect", x, y, width, height, colour, alpha });
}

export function isInFrame(stage: Stage, x: number, y: number, reach: number): boolean {
  const margin = reach * stage.unit;
  return x > -margin && y > -margin && x < stage.width + margin && y < stage.height + margin;
}

/** Adds a sprite that appears enlarged and settles at its own size, never below it: smaller would be illegible on a phone. */
export function popped(list: DisplayList, sprite: Sprite, x: number, y: number, seconds: number, alpha: number): void {
  const scale = mix(1.45, 1, easeOut(seconds / 0.32));
  if (scale < 1.004) putCentred(list, sprite, x, y, alpha);
  else list.push({ op: "scaled", sprite, x, y, width: sprite.width * scale, height: sprite.height * scale, alpha });
}
