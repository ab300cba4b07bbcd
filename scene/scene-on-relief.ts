import type { ClipSegment, ClipSpec } from "../replay/clip-spec.ts";
import type { ReplayTrack } from "../replay/replay-track.ts";
import { type ClipTime, planClipTime } from "./clip-time.ts";
import type { DisplayList, MapImage, MeasureText, Sprite, SpriteKit } from "./display-list.ts";
import { easeOut, smoothStep } from "./easing.ts";
import { highlightKey } from "./highlight-key.ts";
import { initialsOf, singleInitialsOf } from "./initials.ts";
import { endCardLayer } from "./layers/end-card.ts";
import { planRadar, type SceneCanvas } from "./layers/radar.ts";
import { layoutOf } from "./layout.ts";
import { type Callout, callouts } from "./places.ts";
import type { Relief } from "./relief/build-relief.ts";
import { type LayeredFrame, type SegmentPainter, segmentPainter } from "./segment-painter.ts";
import { SegmentTimeline } from "./segment-timeline.ts";
import { TeamSight } from "./sight.ts";
import { SpriteShelf } from "./sprite-shelf.ts";
import type { Stage } from "./stage.ts";
import { cleanText } from "./text.ts";

export interface SceneOnReliefOptions {
  width: number;
  height: number;
  measureText: MeasureText;
  /** For pictures baked once: the radar's plan. */
  createCanvas(width: number, height: number): SceneCanvas;
  kit: SpriteKit;
  /** Font families to try right after the first of `sceneFontFamilies`. */
  fontFamilies?: readonly string[];
  /** The ground, from `buildClipRelief` for this track and size. */
  relief: Relief;
  /** Names of the map's parts, if the track's footprints do not have all of them. */
  callouts?: readonly Callout[];
  /** Plans each segment only when its first frame is asked for, or by `planNext`, so that the first of many is ready sooner. */
  isLazy?: boolean;
}

export interface ClipScene {
  /** All frames of the clip: segments joined, then the end card. */
  readonly frameCount: number;
  readonly framesPerSecond: number;
  readonly mapImages: MapImage[];
  /** Plans the next segment that is not planned yet. @returns false when all are */
  planNext(): boolean;
  /** Sprites that will probably be needed, so that a painter can bake them before the first frame. */
  sprites(): Sprite[];
  /**
   * Display list of frame i (0-based); the same i gives the same list.
   * @throws {RangeError} when there is no such frame.
   */
  frame(index: number): DisplayList;
  /** Frame i of a segment as a still picture of what happens: without panels, captions and watermark. */
  picture(index: number): DisplayList;
  /** The tick and segment that frame i shows; the end card is drawn over the last one. */
  moment(index: number): { segment: ClipSegment; tick: number; isEndCard: boolean };
  /** The first frame that shows a segment at or after a tick; null if the segment ends before that or is not shown. */
  frameAt(segment: ClipSegment, tick: number): number | null;
  /**
   * Frame i by layers, for judging what is drawn: the operations of all layers, in order, are `frame(i)`.
   * @throws {RangeError} when there is no such frame.
   */
  layers(index: number): LayeredFrame;
}

interface SegmentScene {
  stage: Stage;
  firstFrame: number;
  /** Planned when it is first asked for. */
  readonly painter: SegmentPainter;
  readonly isPlanned: boolean;
  /** How many of its first frames show the last picture of the scene before fading. */
  dissolveFrames: number;
}

/** How long the last picture takes to darken under the end card. */
const shadeSeconds = 0.3;

/**
 * Builds the scene of a clip on a ground that is drawn already: what takes long (camera, sight, names) is done here, so that frames are
 * cheap. Browsers use it without what draws the ground.
 */
export function createSceneOn(track: ReplayTrack, spec: ClipSpec, options: SceneOnReliefOptions): ClipScene {
  const shared = sharedStage(track, spec, options);
  const { shelf, relief, layout } = shared;
  const radar = spec.settings.radar ? planRadar(relief, shelf, layout.radar, options.createCanvas) : null;
  const places = options.callouts ?? callouts(track.footprints);
  const time = planClipTime(track.record, spec);
  const segments = segmentScenes(track, shared, time, (stage) => segmentPainter(stage, places, radar));
  const planNext = () => Boolean(segments.find(({ isPlanned }) => !isPlanned)?.painter);
  if (!options.isLazy) while (planNext());
  const at = (index: number): { scene: SegmentScene; frame: number } => {
    const scene = segments.filter(({ firstFrame }) => index >= firstFrame).at(-1);
    if (!scene || !Number.isInteger(index) || index >= time.frameCount)
      throw new RangeError(`The clip has no frame ${index}.`);
    return { scene, frame: index - scene.firstFrame };
  };
  const dissolve = dissolves();
  const endCard = endCardOver(segments.at(-1), spec, time);
  const layersAt = (index: number): LayeredFrame => {
    const { scene, frame } = at(index);
    const { frameCount } = scene.stage.timeMap;
    if (endCard && frame >= frameCount) return endCard((frame - frameCount) / spec.framesPerSecond);
    const layered = scene.painter.layers(frame);
    const before = segments[segments.indexOf(scene) - 1];
    if (before && frame < scene.dissolveFrames) layered.layers.push(dissolve(before, frame, scene.dissolveFrames));
    return layered;
  };
  return {
    frameCount: time.frameCount,
    framesPerSecond: spec.framesPerSecond,
    mapImages: relief.floors.map((floor) => floor.image),
    planNext,
    sprites: () => shelf.all(),
    frame: (index) => joined(layersAt(index)),
    layers: layersAt,
    picture(index) {
      const { scene, frame } = at(index);
      return scene.painter.drawWorld(Math.min(frame, scene.stage.timeMap.frameCount - 1));
    },
    moment(index) {
      const { scene, frame } = at(index);
      const { timeline, timeMap } = scene.stage;
      const isEndCard = frame >= timeMap.frameCount;
      return {
        segment: timeline.segment,
        tick: timeMap.tickAt(isEndCard ? timeMap.frameCount - 1 : frame),
        isEndCard,
      };
    },
    frameAt(segment, tick) {
      const scene = segments.find(({ stage }) => stage.timeline.segment === segment);
      if (!scene) return null;
      const { timeMap } = scene.stage;
      // Rounding of sums must not make the frame at a tick the one after it.
      const frame = Math.max(0, Math.ceil(timeMap.secondsAt(tick) * spec.framesPerSecond - 1e-6));
      return frame < timeMap.frameCount ? scene.firstFrame + frame : null;
    },
  };
}

/** The part of a stage that does not depend on the segment. */
type SharedStage = Omit<Stage, "timeline" | "timeMap" | "sight" | "introduced">;

function sharedStage(track: ReplayTrack, spec: ClipSpec, options: SceneOnReliefOptions): SharedStage {
  const { width, height, relief } = options;
  const layout = layoutOf(width, height, spec.settings);
  const names = track.record.players.map((player, i) => cleanText(player.name) || `Player ${i + 1}`);
  const teams = track.record.players.map(({ team }) => team);
  return {
    width,
    height,
    layout,
    unit: layout.unit,
    framesPerSecond: spec.framesPerSecond,
    settings: spec.settings,
    shelf: new SpriteShelf(layout.unit, options.measureText, options.kit, options.fontFamilies),
    relief,
    names,
    initials: initialsOf(names, teams),
    singleInitials: singleInitialsOf(names, teams),
  };
}

/** The segments that show anything, each with its stage. */
function segmentScenes(
  track: ReplayTrack,
  shared: SharedStage,
  { segments }: ClipTime,
  planned: (stage: Stage) => SegmentPainter,
): SegmentScene[] {
  const introductions = introducingSegments(segments.map(({ segment }) => segment));
  return segments.map(({ segment, timeMap, firstFrame, dissolveFrames }): SegmentScene => {
    const introduced = segment.captions.filter(
      (caption) => introductions.get(highlightKey(segment, caption)) === segment,
    );
    const timeline = new SegmentTimeline(track, segment);
    const sight = shared.settings.xray ? null : new TeamSight(timeline, shared.relief);
    const stage: Stage = { ...shared, timeline, timeMap, sight, introduced: new Set(introduced) };
    let painter: SegmentPainter | undefined;
    return {
      stage,
      firstFrame,
      dissolveFrames,
      get isPlanned() {
        return painter !== undefined;
      },
      get painter() {
        painter ??= planned(stage);
        return painter;
      },
    };
  });
}

/**
 * By highlight (`highlightKey`), the segment whose title tells of it: the first that follows its player. While somebody else is
 * followed, a title with another name is taken for theirs; but a player who is never followed is told of there.
 */
function introducingSegments(segments: readonly ClipSegment[]): Map<string, ClipSegment> {
  const introducing = new Map<string, ClipSegment>();
  for (const segment of segments) {
    for (const caption of segment.captions) {
      const key = highlightKey(segment, caption);
      const known = introducing.get(key);
      const isFirstOfPlayer = known?.player !== caption.player && segment.player === caption.player;
      if (!known || isFirstOfPlayer) introducing.set(key, segment);
    }
  }
  return introducing;
}

type FrameLayer = LayeredFrame["layers"][number];

/** Fades the last picture of a scene over the first frames of the next; one list of it for all those frames. */
function dissolves(): (from: SegmentScene, frame: number, frames: number) => FrameLayer {
  const lastPictures = new Map<SegmentScene, DisplayList>();
  const lastPictureOf = (scene: SegmentScene): DisplayList => {
    const known = lastPictures.get(scene);
    if (known) return known;
    const picture = joined(scene.painter.layers(scene.stage.timeMap.frameCount - 1));
    lastPictures.set(scene, picture);
    return picture;
  };
  return (from, frame, frames) => {
    const alpha = 1 - smoothStep(0, frames + 1, frame + 1);
    return { name: "dissolve", operations: [{ op: "dissolve", from: lastPictureOf(from), alpha }] };
  };
}

/** The end card over what stood when the last segment ended; null for a clip without one. */
function endCardOver(
  last: SegmentScene | undefined,
  spec: ClipSpec,
  time: ClipTime,
): ((seconds: number) => LayeredFrame) | null {
  if (!last || time.endCardFrames === 0) return null;
  const { stage } = last;
  const drawCard = endCardLayer(stage, spec);
  const lastFrame = stage.timeMap.frameCount - 1;
  /** One list, as painters keep its picture. */
  let leftStanding: DisplayList | undefined;
  return (seconds) => {
    const shaded = easeOut(seconds / shadeSeconds);
    const below = last.painter.drawBackdrop(lastFrame);
    if (shaded < 1) {
      leftStanding ??= last.painter.drawWordless(lastFrame);
      below.push({ op: "dissolve", from: leftStanding, alpha: 1 - shaded });
    }
    below.push(shade(stage, shaded));
    const card: DisplayList = [];
    drawCard(card, seconds);
    return {
      layers: [
        { name: "map", operations: below },
        { name: "endCard", operations: card },
      ],
      players: [],
    };
  };
}

function joined({ layers }: LayeredFrame): DisplayList {
  return layers.flatMap(({ operations }) => operations);
}

/** What the end card is read on: the picture, soon dark enough for any map. */
function shade({ width, height }: { width: number; height: number }, shaded: number): DisplayList[number] {
  return { op: "rect", x: 0, y: 0, width, height, colour: "#070a10", alpha: 0.8 * shaded };
}
