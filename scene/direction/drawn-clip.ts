import { itemAt } from "../../replay/checked-reads.ts";
import type { ClipSegment } from "../../replay/clip-spec.ts";
import type { PlayerIndex } from "../../replay/match-record.ts";
import type { Box } from "../box.ts";
import type { ClipScene, LayeredFrame } from "../clip-scene.ts";
import type { DrawOperation } from "../display-list.ts";
import type { LayerName } from "../stage.ts";
import { coveredBox, isPanelLayer, placement } from "./frame-cover.ts";
import type { SpriteInk } from "./sprite-ink.ts";

/** A line of text in a frame. */
export interface DrawnText {
  layer: LayerName;
  text: string;
  /** Font size in frame pixels. */
  size: number;
}

/** A player's token or, after death, their cross. Frame pixels. */
export interface DrawnPlayer {
  x: number;
  y: number;
  radius: number;
}

/** A frame that was examined. */
export interface DrawnFrame extends LayeredFrame {
  index: number;
  tick: number;
  segment: ClipSegment;
  /** Legible ones. */
  texts: DrawnText[];
  panels: Box[];
}

/** A clip as it is drawn. */
export interface DrawnClip {
  width: number;
  height: number;
  framesPerSecond: number;
  /** One for every frame that shows play, so not for the end card. */
  moments: readonly { segment: ClipSegment; tick: number }[];
  /** Every fourth frame, including the end card's. */
  frames: readonly DrawnFrame[];
  /** Seconds of video that each of `frames` represents. */
  secondsPerFrame: number;
  inkOf: InkOf;
}

export type InkOf = (sprite: Extract<DrawOperation, { op: "sprite" }>["sprite"]) => SpriteInk;

/** At 60 frames a second this means 15 samples a second, so 15 in half a second before and after a kill. */
const lookEvery = 4;
/** Fainter text is fading in or out. */
const legibleAlpha = 0.5;

/** The part of a scene that judging needs. */
export type JudgedScene = Pick<ClipScene, "frameCount" | "framesPerSecond" | "moment" | "layers">;

/** Draws a clip and examines every fourth frame. Frame sizes in pixels. */
export function drawClip(scene: JudgedScene, frame: { width: number; height: number }, inkOf: InkOf): DrawnClip {
  const all = Array.from({ length: scene.frameCount }, (_, index) => scene.moment(index));
  const moments = all.filter(({ isEndCard }) => !isEndCard);
  const frames: DrawnFrame[] = [];
  for (let index = 0; index < scene.frameCount; index += lookEvery) {
    const { segment, tick } = itemAt(all, index);
    const { layers, players } = scene.layers(index);
    const texts = layers.flatMap(({ name, operations }) =>
      operations.flatMap((operation) => legibleTexts(operation, name, frame, inkOf)),
    );
    const panels = layers
      .filter(({ name }) => isPanelLayer[name])
      .flatMap(({ operations }) => operations.flatMap((operation) => coveredBox(operation, frame, inkOf) ?? []));
    frames.push({ index, tick, segment, layers, players, texts, panels });
  }
  const { framesPerSecond } = scene;
  return { ...frame, framesPerSecond, moments, frames, secondsPerFrame: lookEvery / framesPerSecond, inkOf };
}

function legibleTexts(
  operation: DrawOperation,
  layer: LayerName,
  frame: { width: number; height: number },
  inkOf: InkOf,
): DrawnText[] {
  if (!("sprite" in operation) || operation.alpha < legibleAlpha) return [];
  const { texts } = inkOf(operation.sprite);
  if (texts.length === 0) return [];
  const { a, b, c, d, x, y } = placement(operation);
  const middleX = x + (a * operation.sprite.width + c * operation.sprite.height) / 2;
  const middleY = y + (b * operation.sprite.width + d * operation.sprite.height) / 2;
  if (middleX < 0 || middleY < 0 || middleX > frame.width || middleY > frame.height) return [];
  return texts
    .filter(({ text }) => text.trim() !== "")
    .map(({ text, size }) => ({ layer, text, size: size * Math.hypot(c, d) }));
}

/** Where a player is drawn in a frame; null if nothing is drawn at their position, or it is outside the frame. */
export function drawnPlayer(
  { players, layers }: DrawnFrame,
  player: PlayerIndex,
  { width, height }: DrawnClip,
): DrawnPlayer | null {
  const staged = players.find((candidate) => candidate.player === player);
  if (!staged) return null;
  const { x, y, isAlive } = staged;
  if (x < 0 || y < 0 || x > width || y > height) return null;
  const own = layers.find(({ name }) => name === (isAlive ? "players" : "deaths"))?.operations ?? [];
  const radii = own.flatMap((operation) => {
    if (operation.op !== "ring" && operation.op !== "scaled") return [];
    if (Math.hypot(operation.x - x, operation.y - y) > 1) return [];
    return [operation.op === "ring" ? operation.radius : operation.width / 2];
  });
  return radii.length > 0 ? { x, y, radius: Math.min(...radii) } : null;
}
