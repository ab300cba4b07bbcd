import { itemAt } from "../replay/checked-reads.ts";
import type { ClipSegment, ClipSpec } from "../replay/clip-spec.ts";
import type { PlayerIndex } from "../replay/match-record.ts";
import type { ReplayTrack } from "../replay/replay-track.ts";
import { placeBanners } from "./banner-places.ts";
import { type Box, boxOf, contains } from "./box.ts";
import { type CameraView, cameraPath } from "./camera.ts";
import { planClipTime } from "./clip-time.ts";
import type { DisplayList, MapImage, MeasureText, Sprite, SpriteKit } from "./display-list.ts";
import { easeOut, smoothStep } from "./easing.ts";
import { highlightKey } from "./highlight-key.ts";
import { initialsOf, singleInitialsOf } from "./initials.ts";
import { type BannerPlan, planBanners } from "./layers/banner.ts";
import { bombLayer } from "./layers/bomb.ts";
import { watermarkPanel } from "./layers/brand.ts";
import { calloutLayer } from "./layers/callouts.ts";
import { captionPanels } from "./layers/captions.ts";
import { endCardLayer } from "./layers/end-card.ts";
import { flashPanel, veilLayer } from "./layers/flashes.ts";
import { burstLayer, projectileLayer, smokeLayer } from "./layers/grenades.ts";
import { deathLayer, fireLayer, siteLayer } from "./layers/ground.ts";
import { planKillFeed } from "./layers/kill-feed.ts";
import { labelLayer, planLabels } from "./layers/labels.ts";
import { playerPanel } from "./layers/player-panel.ts";
import { playerLayer } from "./layers/players.ts";
import { planRadar, type RadarPlan, radarLayer, type SceneCanvas } from "./layers/radar.ts";
import { scoreboardPanel } from "./layers/scoreboard.ts";
import { shotLayer } from "./layers/shots.ts";
import { speedPanel } from "./layers/speed.ts";
import { stripPanel } from "./layers/strips.ts";
import { planIntroductions, titlePanel } from "./layers/titles.ts";
import { trailLayer } from "./layers/trails.ts";
import { viewConeLayer } from "./layers/view-cones.ts";
import { layoutOf } from "./layout.ts";
import { type Callout, callouts } from "./places.ts";
import type { Relief } from "./relief/build-relief.ts";
import { SegmentTimeline } from "./segment-timeline.ts";
import { floorAt, TeamSight } from "./sight.ts";
import { SpriteShelf } from "./sprite-shelf.ts";
import {
  type Instant,
  type Layer,
  type LayerName,
  type Moment,
  type NamedLayer,
  type NamedPanel,
  type Stage,
  type StagedPlayer,
  Viewport,
} from "./stage.ts";
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

export interface LayeredFrame {
  /** In paint order. */
  layers: { name: LayerName; operations: DisplayList }[];
  /** Where the players of the round are in the frame, drawn or not. */
  players: readonly StagedPlayer[];
}

const otherFloorOpacity = 0.45;

interface SegmentScene {
  stage: Stage;
  firstFrame: number;
  /** Planned when it is first asked for. */
  readonly painter: SegmentPainter;
  readonly isPlanned: boolean;
  /** How many of its first frames show the last picture of the scene before fading. */
  dissolveFrames: number;
}

interface SegmentPainter {
  /** Without what lies over the picture. */
  drawWorld(frame: number): DisplayList;
  /** Without what is read. */
  drawWordless(frame: number): DisplayList;
  /** Without whatever marks something: the ground, and what burns or smokes on it. */
  drawBackdrop(frame: number): DisplayList;
  layers(frame: number): LayeredFrame;
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

/** How long the last picture takes to darken under the end card. */
const shadeSeconds = 0.3;

/**
 * Builds the scene of a clip on a ground that is drawn already: what takes long (camera, sight, names) is done here, so that frames are
 * cheap. Browsers use it without what draws the ground.
 */
export function createSceneOn(track: ReplayTrack, spec: ClipSpec, options: SceneOnReliefOptions): ClipScene {
  const layout = layoutOf(options.width, options.height, spec.settings);
  const { unit } = layout;
  const shelf = new SpriteShelf(unit, options.measureText, options.kit, options.fontFamilies);
  const { relief } = options;
  const radar = spec.settings.radar ? planRadar(relief, shelf, layout.radar, options.createCanvas) : null;
  const names = track.record.players.map((player, i) => cleanText(player.name) || `Player ${i + 1}`);
  const teams = track.record.players.map(({ team }) => team);
  const initials = initialsOf(names, teams);
  const singleInitials = singleInitialsOf(names, teams);

  const places = options.callouts ?? callouts(track.footprints);
  const time = planClipTime(track.record, spec);
  const introductions = introducingSegments(time.segments.map(({ segment }) => segment));
  const segments = time.segments.map(({ segment, timeMap, firstFrame, dissolveFrames }): SegmentScene => {
    const introduced = segment.captions.filter(
      (caption) => introductions.get(highlightKey(segment, caption)) === segment,
    );
    const timeline = new SegmentTimeline(track, segment);
    const stage: Stage = {
      width: options.width,
      height: options.height,
      layout,
      unit,
      framesPerSecond: spec.framesPerSecond,
      settings: spec.settings,
      shelf,
      relief,
      timeline,
      timeMap,
      sight: spec.settings.xray ? null : new TeamSight(timeline, relief),
      names,
      initials,
      singleInitials,
      introduced: new Set(introduced),
    };
    let painter: SegmentPainter | undefined;
    return {
      stage,
      firstFrame,
      dissolveFrames,
      get isPlanned() {
        return painter !== undefined;
      },
      get painter() {
        painter ??= segmentPainter(stage, places, radar);
        return painter;
      },
    };
  });
  const planNext = () => Boolean(segments.find(({ isPlanned }) => !isPlanned)?.painter);
  if (!options.isLazy) while (planNext());
  const last = segments.at(-1);
  const drawEndCard = last && time.endCardFrames > 0 ? endCardLayer(last.stage, spec) : null;

  /** The last picture of each scene, one list for all frames that it fades over. */
  const lastPictures = new Map<SegmentScene, DisplayList>();
  const lastPictureOf = (scene: SegmentScene): DisplayList => {
    const known = lastPictures.get(scene);
    if (known) return known;
    const picture = joined(scene.painter.layers(scene.stage.timeMap.frameCount - 1));
    lastPictures.set(scene, picture);
    return picture;
  };
  const dissolve = (from: SegmentScene, frame: number, frames: number): LayeredFrame["layers"] => {
    if (frame >= frames) return [];
    const alpha = 1 - smoothStep(0, frames + 1, frame + 1);
    return [{ name: "dissolve", operations: [{ op: "dissolve", from: lastPictureOf(from), alpha }] }];
  };

  /** What stood when the last segment ended; one list, as painters keep its picture. */
  let leftStanding: DisplayList | undefined;
  const belowEndCard = ({ painter, stage }: SegmentScene, seconds: number): DisplayList => {
    const lastFrame = stage.timeMap.frameCount - 1;
    const shaded = easeOut(seconds / shadeSeconds);
    const list = painter.drawBackdrop(lastFrame);
    if (shaded < 1) {
      leftStanding ??= painter.drawWordless(lastFrame);
      list.push({ op: "dissolve", from: leftStanding, alpha: 1 - shaded });
    }
    list.push(shade(options, shaded));
    return list;
  };

  const at = (index: number): { scene: SegmentScene; frame: number } => {
    const scene = segments.filter(({ firstFrame }) => index >= firstFrame).at(-1);
    if (!scene || !Number.isInteger(index) || index >= time.frameCount)
      throw new RangeError(`The clip has no frame ${index}.`);
    return { scene, frame: index - scene.firstFrame };
  };
  const layersAt = (index: number): LayeredFrame => {
    const { scene, frame } = at(index);
    const { frameCount } = scene.stage.timeMap;
    if (drawEndCard && frame >= frameCount) {
      const seconds = (frame - frameCount) / spec.framesPerSecond;
      const card: DisplayList = [];
      drawEndCard(card, seconds);
      return {
        layers: [
          { name: "map", operations: belowEndCard(scene, seconds) },
          { name: "endCard", operations: card },
        ],
        players: [],
      };
    }
    const layered = scene.painter.layers(frame);
    const before = segments[segments.indexOf(scene) - 1];
    if (before) layered.layers.push(...dissolve(before, frame, scene.dissolveFrames));
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

function joined({ layers }: LayeredFrame): DisplayList {
  return layers.flatMap(({ operations }) => operations);
}

/** What the end card is read on: the picture, soon dark enough for any map. */
function shade({ width, height }: { width: number; height: number }, shaded: number): DisplayList[number] {
  return { op: "rect", x: 0, y: 0, width, height, colour: "#070a10", alpha: 0.8 * shaded };
}

function segmentPainter(stage: Stage, places: readonly Callout[], radar: RadarPlan | null): SegmentPainter {
  const { timeline, timeMap, framesPerSecond, relief } = stage;
  const { frameCount } = timeMap;
  const instantAt = (frame: number): Instant => ({
    tick: timeMap.tickAt(frame),
    seconds: frame / framesPerSecond,
    frame,
  });
  const banners = planBanners(stage);
  const panels = segmentPanels(stage, banners);
  const steady = panels.filter(({ name }) => name !== "banner");
  const moving = panels.filter(({ name }) => name === "banner");
  const coveredBySteady = Array.from({ length: frameCount }, (_, frame) =>
    coveredBoxes(steady, radar, instantAt(frame)),
  );
  let covered: readonly Box[][] = [];
  const coveredAt = (frame: number) => itemAt(covered, frame);
  const pathAround = cameraPath(timeline, timeMap, relief, stage.layout);
  const plan = (): readonly CameraView[] => {
    covered = coveredBySteady.map((boxes, frame) => [...boxes, ...coveredBoxes(moving, null, instantAt(frame))]);
    return pathAround(coveredAt);
  };
  const opponents = (frame: number, path: readonly CameraView[]) => {
    const camera = itemAt(path, frame);
    const view = new Viewport(relief.projection, camera, stage.width);
    return stagePlayers(stage, camera, view, timeMap.tickAt(frame)).filter(
      ({ player, isAlive }) => isAlive && !timeline.isTeammate(player, timeline.segment.player),
    );
  };
  const cameras = stage.settings.highlightInfo
    ? placeBanners(banners, stage.layout.banner.places.length, {
        unit: stage.unit,
        framesPerSecond,
        frameCount,
        plan,
        opponents,
      })
    : plan();
  const momentAt = (frame: number): Moment => {
    const instant = instantAt(frame);
    const camera = itemAt(cameras, frame);
    const view = new Viewport(relief.projection, camera, stage.width);
    return { ...instant, view, players: stagePlayers(stage, camera, view, instant.tick) };
  };
  const labels = planLabels(stage, momentAt, frameCount, coveredAt);
  const world: NamedLayer[] = [
    { name: "map", draw: mapLayer(stage) },
    { name: "callouts", draw: calloutLayer(stage, places, coveredAt) },
    { name: "sites", draw: siteLayer(stage) },
    { name: "fire", draw: fireLayer(stage) },
    { name: "trails", draw: trailLayer(stage) },
    { name: "bomb", draw: bombLayer(stage) },
    { name: "smoke", draw: smokeLayer(stage) },
    { name: "veil", draw: veilLayer(stage) },
    { name: "deaths", draw: deathLayer(stage, coveredAt) },
    { name: "viewCones", draw: viewConeLayer(stage) },
    { name: "shots", draw: shotLayer(stage) },
    { name: "players", draw: playerLayer(stage) },
    { name: "projectiles", draw: projectileLayer(stage) },
    { name: "bursts", draw: burstLayer(stage) },
    { name: "names", draw: labelLayer(stage, labels) },
  ];
  const overlays: NamedLayer[] = radar ? [{ name: "radar", draw: radarLayer(stage, radar) }, ...panels] : panels;
  const layers = [...world, ...overlays];
  const drawn = (shown: readonly NamedLayer[]) => (frame: number) => {
    const moment = momentAt(frame);
    const list: DisplayList = [];
    for (const layer of shown) layer.draw(list, moment);
    return list;
  };

  return {
    drawWorld: drawn(world),
    drawWordless: drawn(world.filter(({ name }) => !wordy.has(name))),
    drawBackdrop: drawn(world.filter(({ name }) => markless.has(name))),
    layers(frame) {
      const moment = momentAt(frame);
      const drawn = layers.map(({ name, draw }) => {
        const operations: DisplayList = [];
        draw(operations, moment);
        return { name, operations };
      });
      return { layers: drawn, players: moment.players };
    },
  };
}

/** Layers of the picture that are read. */
const wordy: ReadonlySet<LayerName> = new Set(["callouts", "sites", "names"]);
/** Layers of the picture that may lie below words: a cross or a token shines through a shade and is taken for part of them. */
const markless: ReadonlySet<LayerName> = new Set(["map", "fire", "smoke", "veil"]);

/** The ground, darkened while the camera goes over to another floor. */
function mapLayer({ relief, width, height }: Stage): Layer {
  return (list, { view }) => {
    const { camera } = view;
    list.push({
      op: "map",
      image: itemAt(relief.floors, camera.floor).image,
      sx: camera.left,
      sy: camera.top,
      sw: camera.width,
      sh: camera.height,
    });
    if (camera.dip > 0) list.push({ op: "rect", x: 0, y: 0, width, height, colour: "#070a10", alpha: camera.dip });
  };
}

/** What lies over the picture but for the radar, which shows what the camera does. */
function segmentPanels(stage: Stage, banners: BannerPlan): NamedPanel[] {
  const { settings } = stage;
  const panels: NamedPanel[] = [];
  const introductions = settings.highlightInfo ? planIntroductions(stage) : [];
  const feed = settings.killfeed ? planKillFeed(stage, introductions) : null;
  if (feed) panels.push({ name: "killFeed", draw: feed.draw });
  if (settings.hud) {
    panels.push(
      { name: "scoreboard", draw: scoreboardPanel(stage) },
      { name: "strips", draw: stripPanel(stage) },
      { name: "playerPanel", draw: playerPanel(stage) },
      { name: "speed", draw: speedPanel(stage) },
      { name: "flashes", draw: flashPanel(stage) },
    );
  }
  if (settings.highlightInfo) panels.push(...captionPanels(stage, banners, titlePanel(stage, introductions, feed)));
  if (settings.watermark) panels.push({ name: "watermark", draw: watermarkPanel(stage) });
  return panels;
}

/** What of the picture is covered at a time: the boxes of what the panels draw then. */
function coveredBoxes(panels: readonly NamedPanel[], radar: RadarPlan | null, time: Instant): Box[] {
  const list: DisplayList = [];
  for (const { draw } of panels) draw(list, time);
  const boxes: Box[] = [];
  if (radar) boxes.push({ left: radar.left, top: radar.top, width: radar.panel.width, height: radar.panel.height });
  for (const operation of list) {
    const box = boxOf(operation);
    if (box && !boxes.some((other) => contains(other, box))) boxes.push(box);
  }
  return boxes;
}

function stagePlayers(stage: Stage, camera: CameraView, view: Viewport, tick: number): StagedPlayer[] {
  const { timeline, relief, sight } = stage;
  const staged: StagedPlayer[] = [];
  for (const player of timeline.roster) {
    const state = timeline.state(player, tick);
    if (!state) continue;
    const floorOpacity = floorAt(relief, state.z) === camera.floor ? 1 : otherFloorOpacity;
    staged.push({
      player,
      side: timeline.sides[player as PlayerIndex]!,
      state,
      isAlive: timeline.isAlive(player, tick),
      isFollowed: player === timeline.segment.player,
      x: view.x(state.x),
      y: view.y(state.y, state.z),
      opacity: floorOpacity * (sight ? sight.opacity(player, tick) : 1),
    });
  }
  return staged;
}
