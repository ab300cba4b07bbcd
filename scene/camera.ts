import * as checkedReads from "../replay/checked-reads.ts";
import type { TimeMap } from "../replay/time-map.ts";
import { clamp, mix, smoothStep } from "./easing.ts";
import type { Relief } from "./relief/build-relief.ts";
import { mapX, mapY } from "./relief/projection.ts";
import type { SegmentTimeline } from "./segment-timeline.ts";

// Copied, because some module formats look imports up again at every use: these are in innermost loops.
const { float64At, itemAt, uint8At } = checkedReads;

/** What the camera shows at one frame: a rectangle of the map picture and which floor of it. */
export interface CameraView {
  /** Rectangle in map pixels. */
  left: number;
  top: number;
  width: number;
  height: number;
  floor: number;
  /** 0..1: how far the picture is dimmed to hide the change from one floor to the other. */
  dip: number;
}

interface Size {
  width: number;
  height: number;
}

interface Point {
  x: number;
  y: number;
}

/** World units from left to right: never closer, never farther. */
const closestView = 1500;
const calmView = 1900;
const farthestView = 5200;
/** The followed player stands a little above the middle: the lower panels are larger. */
const anchorHeight = 0.44;

const centreSmoothingSeconds = 0.6;
const zoomReachSeconds = 0.9;
const dipSeconds = 0.16;
/** At a decisive moment the view narrows by this (natural logarithm), holds, and widens again; seconds of video. */
const pushDepth = 0.1;
const pushBeforeSeconds = 0.35;
const pushHoldSeconds = 0.5;
const pushAfterSeconds = 1.4;

/**
 * The part of the frame that no panel covers, as half-planes `nx·x + ny·y ≤ reach` around the anchor, for a frame of 1:
 * corners with the radar, the caption and the kill feed are cut off.
 */
function safeArea(frame: Size): { nx: number; ny: number; reach: number }[] {
  const unit = frame.height / 720;
  const anchorX = frame.width / 2;
  const anchorY = frame.height * anchorHeight;
  const halfPlane = (x0: number, y0: number, x1: number, y1: number) => {
    const nx = y1 - y0;
    const ny = x0 - x1;
    const length = Math.hypot(nx, ny);
    return { nx: nx / length, ny: ny / length, reach: (nx * (x0 - anchorX) + ny * (y0 - anchorY)) / length };
  };
  const left = 110 * unit;
  const right = frame.width - 110 * unit;
  const top = 120 * unit;
  const bottom = frame.height - 212 * unit;
  const corners: [number, number][] = [
    [left + 270 * unit, top],
    [right - 270 * unit, top],
    [right, top + 150 * unit],
    [right, bottom],
    [left + 190 * unit, bottom],
    [left, bottom - 60 * unit],
    [left, top + 130 * unit],
  ];
  return corners.map(([x0, y0], i) => {
    const [x1, y1] = itemAt(corners, (i + 1) % corners.length);
    return halfPlane(x0, y0, x1, y1);
  });
}

/** The camera's path over the frames of a segment: follows the player and the fights they are in. */
export function cameraPath(timeline: SegmentTimeline, timeMap: TimeMap, relief: Relief, frame: Size): CameraView[] {
  const { projection } = relief;
  const { segment, tickRate } = timeline;
  const { frameCount, framesPerSecond } = timeMap;
  const planes = safeArea(frame);
  const aspect = frame.height / frame.width;
  const widest = Math.min(farthestView * projection.scale, projection.width, projection.height / aspect);
  const closest = Math.min(closestView * projection.scale, widest);
  const calm = Math.min(calmView * projection.scale, widest);

  const xs = new Float64Array(frameCount);
  const ys = new Float64Array(frameCount);
  const floors = new Uint8Array(frameCount);
  const mustSee: Point[][] = [];
  let last: Point = { x: projection.width / 2, y: projection.height / 2 };
  const onMap = (player: number, tick: number): Point | null => {
    const state = timeline.state(player, tick);
    return state && { x: mapX(projection, state.x), y: mapY(projection, state.y, state.z) };
  };
  const opponents = fightPartners(timeline);
  for (let i = 0; i < frameCount; i++) {
    const tick = timeMap.tickAt(i);
    const followed = onMap(segment.player, tick) ?? last;
    last = followed;
    let x = followed.x * 1.3;
    let y = followed.y * 1.3;
    let weight = 1.3;
    const points = [followed];
    for (const { player, firstTick, lastTick } of opponents) {
      const presence =
        smoothStep(firstTick - 1.2 * tickRate, firstTick, tick) * (1 - smoothStep(lastTick, lastTick + tickRate, tick));
      if (presence <= 0) continue;
      const point = onMap(player, Math.min(tick, timeline.deathTick(player)));
      if (!point) continue;
      x += point.x * presence;
      y += point.y * presence;
      weight += presence;
      if (presence > 0.5) points.push(point);
    }
    xs[i] = x / weight;
    ys[i] = y / weight;
    mustSee.push(points);
    const state = timeline.state(segment.player, tick);
    floors[i] = relief.floorHeight !== null && state !== null && state.z < relief.floorHeight ? 1 : 0;
  }

  const centreX = smooth(xs, centreSmoothingSeconds * framesPerSecond);
  const centreY = smooth(ys, centreSmoothingSeconds * framesPerSecond);
  const widths = new Float64Array(frameCount);
  for (let i = 0; i < frameCount; i++) {
    const points = itemAt(mustSee, i);
    let width = points.length > 1 ? closest : calm;
    for (const point of points) {
      for (const { nx, ny, reach } of planes) {
        const distance = nx * (point.x - float64At(centreX, i)) + ny * (point.y - float64At(centreY, i));
        if (distance > 0) width = Math.max(width, (distance / reach) * frame.width);
      }
    }
    widths[i] = Math.log(Math.min(width, widest));
  }
  // Widened to the largest nearby need first, so that smoothing never cuts off what must be seen.
  const reachFrames = Math.round(zoomReachSeconds * framesPerSecond);
  const zoom = smoothWithin(slidingMaximum(widths, reachFrames), reachFrames);
  pushIn(zoom, widths, timeMap);
  const steadyFloors = majorityFloor(floors, Math.round(0.35 * framesPerSecond));

  const views: CameraView[] = [];
  for (let i = 0; i < frameCount; i++) {
    const width = Math.min(Math.exp(float64At(zoom, i)), widest);
    const height = width * aspect;
    views.push({
      left: clamp(float64At(centreX, i) - width / 2, 0, projection.width - width),
      top: clamp(float64At(centreY, i) - height * anchorHeight, 0, projection.height - height),
      width,
      height,
      floor: uint8At(steadyFloors, i),
      dip: 0,
    });
  }
  markFloorChanges(views, Math.round(dipSeconds * framesPerSecond));
  return views;
}

/**
 * Comes a little closer at each decisive moment and goes back again, as far as everybody who must be seen stays in sight.
 * @param zoom logarithms of the view's width, by frame; changed in place
 * @param needed the least each may be
 */
function pushIn(
  zoom: Float64Array,
  needed: Float64Array,
  { decisiveTicks, secondsAt, framesPerSecond }: TimeMap,
): void {
  for (const tick of decisiveTicks) {
    const middle = secondsAt(tick) * framesPerSecond;
    const from = Math.max(0, Math.ceil(middle - pushBeforeSeconds * framesPerSecond));
    const to = Math.min(zoom.length - 1, Math.floor(middle + pushAfterSeconds * framesPerSecond));
    const near = (i: number) =>
      smoothStep(from - 1, middle, i) * (1 - smoothStep(middle + pushHoldSeconds * framesPerSecond, to + 1, i));
    let depth = pushDepth;
    for (let i = from; i <= to; i++) {
      const part = near(i);
      if (part > 0.01) depth = Math.min(depth, Math.max(0, (float64At(zoom, i) - float64At(needed, i)) / part));
    }
    for (let i = from; i <= to; i++) zoom[i] = float64At(zoom, i) - depth * near(i);
  }
}

/** Who the followed player fights, and from when to when. */
function fightPartners(timeline: SegmentTimeline): { player: number; firstTick: number; lastTick: number }[] {
  const { segment, tickRate, kills, damages } = timeline;
  const partners: { player: number; firstTick: number; lastTick: number }[] = [];
  const add = (player: number | null, tick: number, before: number, after: number) => {
    if (player === null || player === segment.player) return;
    const firstTick = tick - before * tickRate;
    const lastTick = tick + after * tickRate;
    const running = partners.find((p) => p.player === player && firstTick <= p.lastTick && lastTick >= p.firstTick);
    if (running) {
      running.firstTick = Math.min(running.firstTick, firstTick);
      running.lastTick = Math.max(running.lastTick, lastTick);
    } else partners.push({ player, firstTick, lastTick });
  };
  for (const kill of kills) {
    if (kill.tick < segment.startTick) continue;
    if (kill.attacker === segment.player) add(kill.victim, kill.tick, 1, 1.1);
    else if (kill.victim === segment.player) add(kill.attacker, kill.tick, 1, 1.1);
  }
  for (const damage of damages) {
    if (damage.attacker === null || timeline.isTeammate(damage.attacker, damage.victim)) continue;
    if (damage.attacker === segment.player) add(damage.victim, damage.tick, 0.5, 0.6);
    else if (damage.victim === segment.player) add(damage.attacker, damage.tick, 0.5, 0.6);
  }
  return partners;
}

/** Gaussian smoothing; `sigma` in frames. Ends repeat. */
function smooth(values: Float64Array, sigma: number): Float64Array {
  const radius = Math.ceil(sigma * 2.5);
  return convolve(values, radius, (offset) => Math.exp((-offset * offset) / (2 * sigma * sigma)));
}

/** Smoothing whose reach ends sharply at `radius` frames. */
function smoothWithin(values: Float64Array, radius: number): Float64Array {
  return convolve(values, radius, (offset) => 1 + Math.cos((Math.PI * offset) / (radius + 1)));
}

/** Means of the values around, each weighed by how far off it is. */
function convolve(values: Float64Array, radius: number, weightAt: (offset: number) => number): Float64Array {
  const kernel = Float64Array.from({ length: 2 * radius + 1 }, (_, i) => weightAt(i - radius));
  const total = kernel.reduce((sum, weight) => sum + weight, 0);
  const result = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    let sum = 0;
    for (let offset = -radius; offset <= radius; offset++) {
      sum += float64At(values, clamp(i + offset, 0, values.length - 1)) * float64At(kernel, offset + radius);
    }
    result[i] = sum / total;
  }
  return result;
}

function slidingMaximum(values: Float64Array, radius: number): Float64Array {
  const result = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    let max = Number.NEGATIVE_INFINITY;
    const end = Math.min(values.length - 1, i + radius);
    for (let j = Math.max(0, i - radius); j <= end; j++) {
      const value = float64At(values, j);
      if (value > max) max = value;
    }
    result[i] = max;
  }
  return result;
}

/** The floor most frames around agree on: a jump on the stairs between two floors does not flicker. */
function majorityFloor(floors: Uint8Array, radius: number): Uint8Array {
  return floors.map((_, i) => {
    let lower = 0;
    for (let offset = -radius; offset <= radius; offset++)
      lower += uint8At(floors, clamp(i + offset, 0, floors.length - 1));
    return lower > radius ? 1 : 0;
  });
}

function markFloorChanges(views: CameraView[], reach: number): void {
  let floor = views[0]?.floor;
  for (const [i, shown] of views.entries()) {
    if (shown.floor === floor) continue;
    floor = shown.floor;
    for (let offset = -reach; offset < reach; offset++) {
      const view = views[i + offset];
      if (view) view.dip = Math.max(view.dip, mix(0.9, 0, Math.abs(offset + 0.5) / reach));
    }
  }
}
