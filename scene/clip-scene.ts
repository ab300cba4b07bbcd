import { float32At, itemAt, uint8At } from "../replay/checked-reads.ts";
import type { ClipCaption, ClipSegment, ClipSpec } from "../replay/clip-spec.ts";
import type { PlayerIndex } from "../replay/match-record.ts";
import { type Footprints, type ReplayTrack, SampleFlag } from "../replay/replay-track.ts";
import { type CameraView, cameraPath } from "./camera.ts";
import type { DisplayList, MapImage, MeasureText, Sprite, SpriteKit } from "./display-list.ts";
import { bombLayer } from "./layers/bomb.ts";
import { brandLayer, watermarkLayer } from "./layers/brand.ts";
import { calloutLayer } from "./layers/callouts.ts";
import { captionLayer } from "./layers/captions.ts";
import { burstLayer, projectileLayer, smokeLayers } from "./layers/grenades.ts";
import { deathLayer, fireLayer, siteLayer } from "./layers/ground.ts";
import { killFeedLayer } from "./layers/kill-feed.ts";
import { type Box, labelLayer, planLabels } from "./layers/labels.ts";
import { playerPanelLayer } from "./layers/player-panel.ts";
import { playerLayer, trailLayer, viewConeLayer } from "./layers/players.ts";
import { planRadar, type RadarPlan, radarLayer, type SceneCanvas } from "./layers/radar.ts";
import { scoreboardLayer } from "./layers/scoreboard.ts";
import { shotLayer } from "./layers/shots.ts";
import { buildRelief, type Relief } from "./relief/build-relief.ts";
import { SegmentTimeline } from "./segment-timeline.ts";
import { floorAt, TeamSight } from "./sight.ts";
import { SpriteShelf } from "./sprite-shelf.ts";
import { type Layer, type Moment, type Stage, type StagedPlayer, Viewport } from "./stage.ts";
import { cleanText } from "./text.ts";

export interface SceneOptions {
  width: number;
  height: number;
  measureText: MeasureText;
  /** For pictures baked once: the radar's plan. */
  createCanvas(width: number, height: number): SceneCanvas;
  kit: SpriteKit;
  /** Families asked for letters right after the first of `sceneFontFamilies`. */
  fontFamilies?: readonly string[];
  /** A relief built before from the same track, to save building it again. */
  relief?: Relief;
}

export interface ClipScene {
  /** All frames of the clip, segments joined. */
  readonly frameCount: number;
  readonly framesPerSecond: number;
  readonly mapImages: MapImage[];
  /** Sprites likely needed, so that a painter can bake them before the first frame. */
  sprites(): Sprite[];
  /**
   * Display list of frame i (0-based); the same i gives the same list.
   * @throws {RangeError} when there is no such frame.
   */
  frame(index: number): DisplayList;
  /** Which tick and segment frame i shows. */
  moment(index: number): { segment: ClipSegment; tick: number };
}

/** Finest relief at 720 lines: closer views magnify it by at most half. */
const finestScale = 0.78;
const maxMapPixels = 7_500_000;
const otherFloorOpacity = 0.45;

interface SegmentScene {
  segment: ClipSegment;
  firstFrame: number;
  frameCount: number;
  draw(frame: number): DisplayList;
}

/** Builds the scene of a clip: what takes long (map, camera, sight, names) is done here, so that frames are cheap. */
export function createClipScene(track: ReplayTrack, spec: ClipSpec, options: SceneOptions): ClipScene {
  const unit = options.height / 720;
  const shelf = new SpriteShelf(unit, options.measureText, options.kit, options.fontFamilies);
  const relief = options.relief ?? buildClipRelief(track, options.height);
  const radar = spec.settings.radar ? planRadar(relief, shelf, options.height, options.createCanvas) : null;
  const names = track.record.players.map((player, i) => cleanText(player.name) || `Player ${i + 1}`);

  const segments: SegmentScene[] = [];
  const shown = new Set<string>();
  let frameCount = 0;
  for (const segment of spec.segments) {
    const introduced = segment.captions.filter((caption) => !shown.has(highlightKey(segment, caption)));
    for (const caption of introduced) shown.add(highlightKey(segment, caption));
    const timeline = new SegmentTimeline(track, segment);
    const count = Math.round(timeline.seconds * spec.framesPerSecond);
    if (count === 0) continue;
    const stage: Stage = {
      width: options.width,
      height: options.height,
      unit,
      framesPerSecond: spec.framesPerSecond,
      settings: spec.settings,
      shelf,
      relief,
      timeline,
      sight: spec.settings.xray ? null : new TeamSight(timeline, relief),
      names,
      introduced: new Set(introduced),
    };
    const draw = segmentPainter(stage, track.footprints, radar, count);
    segments.push({ segment, firstFrame: frameCount, frameCount: count, draw });
    frameCount += count;
  }
  const at = (index: number): { scene: SegmentScene; frame: number } => {
    const scene = segments.find((s) => index >= s.firstFrame && index < s.firstFrame + s.frameCount);
    if (!scene || !Number.isInteger(index)) throw new RangeError(`The clip has no frame ${index}.`);
    return { scene, frame: index - scene.firstFrame };
  };
  return {
    frameCount,
    framesPerSecond: spec.framesPerSecond,
    mapImages: relief.floors.map((floor) => floor.image),
    sprites: () => shelf.all(),
    frame(index) {
      const { scene, frame } = at(index);
      return scene.draw(frame);
    },
    moment(index) {
      const { scene, frame } = at(index);
      return {
        segment: scene.segment,
        tick: scene.segment.startTick + (frame * track.record.tickRate) / spec.framesPerSecond,
      };
    },
  };
}

/** What tells a clip's highlights apart. */
function highlightKey({ round }: ClipSegment, { label, player, momentTicks }: ClipCaption): string {
  return JSON.stringify([round, label, player, momentTicks]);
}

/** The relief as clips of a frame height use it; the same for all clips of a match. */
export function buildClipRelief(track: ReplayTrack, frameHeight: number): Relief {
  const unit = frameHeight / 720;
  return buildRelief(track.footprints.xyz.length > 0 ? track.footprints : windowFootprints(track), {
    map: track.record.map,
    finestScale: finestScale * Math.min(unit, 1.4),
    maxPixels: maxMapPixels * Math.min(Math.max(unit, 0.5), 1.5),
  });
}

/** Where players were in the windows: the ground of a track that has no footprints. */
function windowFootprints(track: ReplayTrack): Footprints {
  const xyz: number[] = [];
  const breaks: number[] = [];
  for (const window of track.windows) {
    for (const samples of window.players) {
      breaks.push(xyz.length / 3);
      for (let i = 0; samples && i < window.sampleCount; i += 16) {
        if (uint8At(samples.flags, i) & SampleFlag.alive)
          xyz.push(float32At(samples.x, i), float32At(samples.y, i), float32At(samples.z, i));
      }
    }
  }
  if (xyz.length === 0) xyz.push(0, 0, 0);
  return { xyz: Int16Array.from(xyz), breaks: Uint32Array.from(breaks) };
}

function segmentPainter(
  stage: Stage,
  footprints: Footprints,
  radar: RadarPlan | null,
  frameCount: number,
): (frame: number) => DisplayList {
  const { timeline, settings, framesPerSecond, relief } = stage;
  const { segment, tickRate } = timeline;
  const cameras = cameraPath(timeline, relief, stage, frameCount, framesPerSecond);
  const momentAt = (frame: number): Moment => {
    const seconds = frame / framesPerSecond;
    const tick = segment.startTick + seconds * tickRate;
    const camera = itemAt(cameras, frame);
    const view = new Viewport(relief.projection, camera, stage.width);
    return { tick, seconds, frame, view, players: stagePlayers(stage, camera, view, tick) };
  };
  const smoke = smokeLayers(stage);
  const panels = panelBoxes(stage, radar);
  const labels = planLabels(stage, (frame) => momentAt(frame).players, frameCount, panels);
  const layers: Layer[] = [
    calloutLayer(stage, footprints, panels),
    siteLayer(stage),
    fireLayer(stage),
    trailLayer(stage),
    deathLayer(stage),
    bombLayer(stage),
    smoke.body,
    viewConeLayer(stage),
    shotLayer(stage),
    playerLayer(stage),
    projectileLayer(stage),
    smoke.veil,
    burstLayer(stage),
    labelLayer(stage, labels),
  ];
  if (radar) layers.push(radarLayer(stage, radar));
  if (settings.killfeed) layers.push(killFeedLayer(stage));
  if (settings.hud) layers.push(brandLayer(stage), scoreboardLayer(stage), playerPanelLayer(stage));
  if (settings.highlightInfo) layers.push(captionLayer(stage));
  if (settings.watermark) layers.push(watermarkLayer(stage));

  return (frame) => {
    const moment = momentAt(frame);
    const { camera } = moment.view;
    const list: DisplayList = [
      {
        op: "map",
        image: itemAt(relief.floors, camera.floor).image,
        sx: camera.left,
        sy: camera.top,
        sw: camera.width,
        sh: camera.height,
      },
    ];
    if (camera.dip > 0) {
      list.push({
        op: "rect",
        x: 0,
        y: 0,
        width: stage.width,
        height: stage.height,
        colour: "#070a10",
        alpha: camera.dip,
      });
    }
    for (const layer of layers) layer(list, moment);
    return list;
  };
}

/** Where panels cover the map, for names to keep clear of. */
function panelBoxes(stage: Stage, radar: RadarPlan | null): Box[] {
  const { settings, unit, width, height } = stage;
  const box = (left: number, top: number, right: number, bottom: number): Box => ({
    left,
    top,
    width: right - left,
    height: bottom - top,
  });
  const boxes: Box[] = [];
  if (radar) boxes.push({ left: radar.left, top: radar.top, width: radar.panel.width, height: radar.panel.height });
  if (settings.hud) {
    boxes.push(box(0, 0, 180 * unit, 52 * unit));
    boxes.push(box(width / 2 - 205 * unit, 0, width / 2 + 205 * unit, 74 * unit));
    boxes.push(box(width / 2 - 292 * unit, height - 96 * unit, width / 2 + 292 * unit, height));
  }
  if (settings.killfeed) boxes.push(box(width - 300 * unit, 78 * unit, width, 190 * unit));
  if (settings.highlightInfo) {
    boxes.push(box(0, 56 * unit, 360 * unit, 188 * unit));
    boxes.push(box(width / 2 - 200 * unit, height - 190 * unit, width / 2 + 200 * unit, height - 100 * unit));
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
