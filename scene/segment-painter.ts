import { itemAt } from "../replay/checked-reads.ts";
import type { PlayerIndex } from "../replay/match-record.ts";
import { placeBanners } from "./banner-places.ts";
import { type Box, boxOf, contains } from "./box.ts";
import { type CameraView, type CoveredAt, cameraPath } from "./camera.ts";
import type { DisplayList } from "./display-list.ts";
import { type BannerPlan, planBanners } from "./layers/banner.ts";
import { bombLayer } from "./layers/bomb.ts";
import { watermarkPanel } from "./layers/brand.ts";
import { calloutLayer } from "./layers/callouts.ts";
import { captionPanels } from "./layers/captions.ts";
import { flashPanel, veilLayer } from "./layers/flashes.ts";
import { burstLayer, projectileLayer, smokeLayer } from "./layers/grenades.ts";
import { deathLayer, fireLayer, siteLayer } from "./layers/ground.ts";
import { planKillFeed } from "./layers/kill-feed.ts";
import { labelLayer, planLabels } from "./layers/labels.ts";
import { playerPanel } from "./layers/player-panel.ts";
import { playerLayer } from "./layers/players.ts";
import { type RadarPlan, radarLayer } from "./layers/radar.ts";
import { scoreboardPanel } from "./layers/scoreboard.ts";
import { shotLayer } from "./layers/shots.ts";
import { speedPanel } from "./layers/speed.ts";
import { stripPanel } from "./layers/strips.ts";
import { planIntroductions, titlePanel } from "./layers/titles.ts";
import { trailLayer } from "./layers/trails.ts";
import { viewConeLayer } from "./layers/view-cones.ts";
import type { Callout } from "./places.ts";
import { floorAt } from "./sight.ts";
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

export interface LayeredFrame {
  /** In paint order. */
  layers: { name: LayerName; operations: DisplayList }[];
  /** Where the players of the round are in the frame, drawn or not. */
  players: readonly StagedPlayer[];
}

/** Draws the frames of a segment. */
export interface SegmentPainter {
  /** Without what lies over the picture. */
  drawWorld(frame: number): DisplayList;
  /** Without what is read. */
  drawWordless(frame: number): DisplayList;
  /** Without whatever marks something: the ground, and what burns or smokes on it. */
  drawBackdrop(frame: number): DisplayList;
  layers(frame: number): LayeredFrame;
}

const otherFloorOpacity = 0.45;

/**
 * Plans a segment, which takes long, so that its frames are cheap.
 * @param places names of the map's parts
 */
export function segmentPainter(stage: Stage, places: readonly Callout[], radar: RadarPlan | null): SegmentPainter {
  const { frameCount } = stage.timeMap;
  const banners = planBanners(stage);
  const panels = segmentPanels(stage, banners);
  const { cameras, coveredAt } = planCamera(stage, banners, panels, radar);
  const momentAt = (frame: number): Moment => {
    const instant = instantAt(stage, frame);
    return { ...instant, ...stagedAt(stage, itemAt(cameras, frame), instant.tick) };
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

interface CameraPlan {
  /** By frame. */
  cameras: readonly CameraView[];
  /** What panels and radar cover. */
  coveredAt: CoveredAt;
}

/** The camera's path around the panels, and the banners' places in its view. */
function planCamera(
  stage: Stage,
  banners: BannerPlan,
  panels: readonly NamedPanel[],
  radar: RadarPlan | null,
): CameraPlan {
  const { timeline, timeMap, framesPerSecond, relief } = stage;
  const { frameCount } = timeMap;
  const isMoving = ({ name }: NamedPanel) => name === "banner";
  const moving = panels.filter(isMoving);
  const steady = panels.filter((panel) => !isMoving(panel));
  const coveredBySteady = Array.from({ length: frameCount }, (_, frame) =>
    coveredBoxes(steady, radar, instantAt(stage, frame)),
  );
  let covered: readonly Box[][] = [];
  const coveredAt = (frame: number) => itemAt(covered, frame);
  const pathAround = cameraPath(timeline, timeMap, relief, stage.layout);
  const plan = (): readonly CameraView[] => {
    covered = coveredBySteady.map((boxes, frame) => [...boxes, ...coveredBoxes(moving, null, instantAt(stage, frame))]);
    return pathAround(coveredAt);
  };
  if (!stage.settings.highlightInfo) return { cameras: plan(), coveredAt };
  const opponents = (frame: number, path: readonly CameraView[]) =>
    stagedAt(stage, itemAt(path, frame), timeMap.tickAt(frame)).players.filter(
      ({ player, isAlive }) => isAlive && !timeline.isTeammate(player, timeline.segment.player),
    );
  const ground = { unit: stage.unit, framesPerSecond, frameCount, plan, opponents };
  return { cameras: placeBanners(banners, stage.layout.banner.places.length, ground), coveredAt };
}

function instantAt({ timeMap, framesPerSecond }: Stage, frame: number): Instant {
  return { tick: timeMap.tickAt(frame), seconds: frame / framesPerSecond, frame };
}

/** The players of the round in a camera's view. */
function stagedAt(stage: Stage, camera: CameraView, tick: number): Pick<Moment, "view" | "players"> {
  const view = new Viewport(stage.relief.projection, camera, stage.width);
  return { view, players: stagePlayers(stage, camera, view, tick) };
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
