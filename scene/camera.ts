import * as checkedReads from "../replay/checked-reads.ts";
import type { Box } from "./box.ts";
import { clamp, mix, smoothStep } from "./easing.ts";
import { fightPartners, presence } from "./fights.ts";
import type { Layout } from "./layout.ts";
import type { Relief } from "./relief/build-relief.ts";
import { mapX, mapY } from "./relief/projection.ts";
import type { SegmentTimeline } from "./segment-timeline.ts";
import type { TimeMap } from "./time-map.ts";

// Copied, because some module formats look up an import at every use, and these are in inner loops.
const { float64At, itemAt, uint8At } = checkedReads;

/** What the camera shows at one frame: a rectangle of the map picture and which floor of it. */
export interface CameraView {
  /** Rectangle in map pixels. */
  left: number;
  top: number;
  width: number;
  height: number;
  floor: number;
  /** 0..1: how far the picture is dimmed to hide a change of floors. */
  dip: number;
}

interface Point {
  x: number;
  y: number;
}

/** World units per layout unit: closer only at a decisive moment, rarely farther. At its closest, a landscape frame is 1500 wide. */
const closestView = 1.17;
const calmView = 1.48;
/** No fight is over a distance that needs more. */
const farthestView = 8;
/** Units kept free around the middle of whoever matters: the token with its ring. */
const clearance = 22;
/** Players this much involved in a fight must be seen. With less, the camera would zoom out for those it is only turning to or from. */
const seenFrom = 0.9;
/** Weight of the followed player in the middle of a fight; an opponent has at most 1. */
const followedWeight = 1.3;
/** World units by which a calm view may extend beyond the picture of the map. */
const beyondMap = 200;

const centreSmoothingSeconds = 0.6;
const zoomReachSeconds = 0.9;
const dipSeconds = 0.16;
/** At a decisive moment the view narrows by this (natural logarithm), holds, and widens again; seconds of video. */
const pushDepth = 0.1;
const pushBeforeSeconds = 0.35;
const pushHoldSeconds = 0.5;
const pushAfterSeconds = 1.4;

/** What the camera must keep free of panels at a frame: boxes in frame pixels. */
export type CoveredAt = (frame: number) => readonly Box[];

/**
 * The camera's path over the frames of a segment: follows the player and their fights, so that those who fight are
 * in the layout's field and under no panel.
 * @returns plans the path around covered areas; cheap to call again with panels at other places
 */
export function cameraPath(
  timeline: SegmentTimeline,
  timeMap: TimeMap,
  relief: Relief,
  layout: Layout,
): (coveredAt: CoveredAt) => CameraView[] {
  const { projection } = relief;
  const { frameCount, framesPerSecond } = timeMap;
  const aspect = layout.height / layout.width;
  const unitsAcross = layout.width / layout.unit;
  const widest = farthestView * unitsAcross * projection.scale;
  const closest = closestView * unitsAcross * projection.scale;
  const calm = calmView * unitsAcross * projection.scale;

  const { xs, ys, mustSee } = fightCentres(timeline, timeMap, relief, centreLimits(relief, layout, calm));
  const centreX = smooth(xs, centreSmoothingSeconds * framesPerSecond);
  const centreY = smooth(ys, centreSmoothingSeconds * framesPerSecond);
  const floors = majorityFloor(followedFloors(timeline, timeMap, relief), Math.round(0.35 * framesPerSecond));
  return (coveredAt) => {
    const widths = new Float64Array(frameCount);
    /** The zoom that keeps everybody in sight who must be seen. */
    const needed = new Float64Array(frameCount);
    for (let i = 0; i < frameCount; i++) {
      const points = itemAt(mustSee, i);
      let inSight = 0;
      const covered = coveredAt(i);
      for (const point of points) {
        const away = { x: point.x - float64At(centreX, i), y: point.y - float64At(centreY, i) };
        inSight = Math.max(inSight, layout.width / largestZoom(away, layout, covered));
      }
      widths[i] = Math.log(Math.min(Math.max(points.length > 1 ? closest : calm, inSight), widest));
      needed[i] = Math.log(Math.min(inSight, widest));
    }
    // First widened to the largest need nearby, so that smoothing never cuts off anybody who must be seen.
    const reachFrames = Math.round(zoomReachSeconds * framesPerSecond);
    const zoom = smoothWithin(slidingMaximum(widths, reachFrames), reachFrames);
    pushIn(zoom, needed, timeMap);

    const views: CameraView[] = [];
    for (let i = 0; i < frameCount; i++) {
      const width = Math.min(Math.exp(float64At(zoom, i)), widest);
      const height = width * aspect;
      views.push({
        left: float64At(centreX, i) - width * layout.anchor.x,
        top: float64At(centreY, i) - height * layout.anchor.y,
        width,
        height,
        floor: uint8At(floors, i),
        dip: 0,
      });
    }
    markFloorChanges(views, Math.round(dipSeconds * framesPerSecond));
    return views;
  };
}

/** By frame: the middle of the followed player and those they fight, in map pixels, and where those are who must be seen. */
interface FightCentres {
  xs: Float64Array;
  ys: Float64Array;
  mustSee: Point[][];
}

function fightCentres(
  timeline: SegmentTimeline,
  timeMap: TimeMap,
  { projection }: Relief,
  onPicture: (centre: Point) => Point,
): FightCentres {
  const { segment, tickRate } = timeline;
  const { frameCount } = timeMap;
  const xs = new Float64Array(frameCount);
  const ys = new Float64Array(frameCount);
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
    let x = followed.x * followedWeight;
    let y = followed.y * followedWeight;
    let weight = followedWeight;
    const points = [followed];
    for (const opponent of opponents) {
      const part = presence(opponent, tick, tickRate);
      if (part <= 0) continue;
      const point = onMap(opponent.player, Math.min(tick, timeline.deathTick(opponent.player)));
      if (!point) continue;
      x += point.x * part;
      y += point.y * part;
      weight += part;
      if (part > seenFrom) points.push(point);
    }
    const centre = onPicture({ x: x / weight, y: y / weight });
    xs[i] = centre.x;
    ys[i] = centre.y;
    mustSee.push(points);
  }
  return { xs, ys, mustSee };
}

/** By frame: 1 when the followed player is on the lower floor, 0 otherwise. */
function followedFloors(timeline: SegmentTimeline, timeMap: TimeMap, { floorHeight }: Relief): Uint8Array {
  const isLower = (frame: number) => {
    const state = timeline.state(timeline.segment.player, timeMap.tickAt(frame));
    return floorHeight !== null && state !== null && state.z < floorHeight;
  };
  return Uint8Array.from({ length: timeMap.frameCount }, (_, frame) => (isLower(frame) ? 1 : 0));
}

/**
 * Moves slightly closer at each decisive moment and back again, as far as everybody who must be seen stays in sight.
 * @param zoom logarithms of the view's width, by frame; changed in place
 * @param needed the least value of each, minus infinity if there is none
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

/**
 * The most frame pixels per map pixel at which a point at this offset from the camera's centre is in the field, and neither
 * the point nor the straight line to the centre is covered: then no smaller zoom hides it either.
 */
function largestZoom(away: Point, layout: Layout, covered: readonly Box[]): number {
  const { unit, field, controls } = layout;
  const anchor = { x: layout.width * layout.anchor.x, y: layout.height * layout.anchor.y };
  const [, leave] = crossing(anchor, away, inFramePixels(field, unit));
  let zoom = leave;
  const meet = (box: Box) => {
    const [enter, exit] = crossing(anchor, away, widened(box, clearance * unit));
    if (enter > 0 && enter < exit && enter < zoom) zoom = enter;
  };
  for (const box of covered) meet(box);
  for (const box of controls) meet(inFramePixels(box, unit));
  return zoom;
}

/** The part of a ray inside a box, as multiples of its direction. The first is larger if the ray misses the box. */
function crossing(from: Point, direction: Point, box: Box): [enter: number, exit: number] {
  let enter = Number.NEGATIVE_INFINITY;
  let exit = Number.POSITIVE_INFINITY;
  for (const [start, step, near, far] of [
    [from.x, direction.x, box.left, box.left + box.width],
    [from.y, direction.y, box.top, box.top + box.height],
  ] as const) {
    if (step === 0) {
      if (start <= near || start >= far) return [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      continue;
    }
    const [first, second] = [(near - start) / step, (far - start) / step];
    enter = Math.max(enter, Math.min(first, second));
    exit = Math.min(exit, Math.max(first, second));
  }
  return [enter, exit];
}

function inFramePixels({ left, top, width, height }: Box, unit: number): Box {
  return { left: left * unit, top: top * unit, width: width * unit, height: height * unit };
}

function widened({ left, top, width, height }: Box, by: number): Box {
  return { left: left - by, top: top - by, width: width + 2 * by, height: height + 2 * by };
}

/** Limits the camera's centre so that a calm view shows little beyond the map. */
function centreLimits({ projection }: Relief, layout: Layout, calm: number): (centre: Point) => Point {
  const beyond = beyondMap * projection.scale;
  const limited = (length: number, viewLength: number, anchor: number) => {
    const lowest = viewLength * anchor - beyond;
    const highest = length - viewLength * (1 - anchor) + beyond;
    return (value: number) => (lowest < highest ? clamp(value, lowest, highest) : (lowest + highest) / 2);
  };
  const limitX = limited(projection.width, calm, layout.anchor.x);
  const limitY = limited(projection.height, (calm * layout.height) / layout.width, layout.anchor.y);
  return ({ x, y }) => ({ x: limitX(x), y: limitY(y) });
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

/** Means of the surrounding values, weighted by distance. */
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

/** The floor of most surrounding frames, so that a jump on the stairs between two floors does not flicker. */
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
