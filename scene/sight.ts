import { float32At, itemAt } from "../replay/checked-reads.ts";
import type { PlayerIndex, RecordedGrenade } from "../replay/match-record.ts";
import type { PlayerState } from "../replay/sample-track.ts";
import type { Relief } from "./relief/build-relief.ts";
import type { SegmentTimeline } from "./segment-timeline.ts";

/** Half of the horizontal field of view at 16:9 (106°). */
const halfView = (53 * Math.PI) / 180;
const eyeHeight = 64;
const chestHeight = 46;
/** Radius of a smoke cloud in world units (`smokegrenade_projectile`: 144). */
export const smokeRadius = 144;
/** A smoke takes this long to be dense enough that nobody looks through it. */
const smokeGrowsSeconds = 0.5;
/** This far inside unwalked ground is a wall, not a gap between footprints. */
const wallDepth = 20;
const stepTicks = 8;
const fadeOutSeconds = 0.5;
const fadeInSeconds = 0.12;
/** A clean shot proves that the two saw each other; this is how long it counts. */
const contactSeconds = 0.35;

export interface Place {
  x: number;
  y: number;
  z: number;
}

/** How far a ray on the ground floor gets before it meets a wall, in world units, at most `farthest`. */
export function freeDistance(relief: Relief, from: Place, heading: number, farthest: number): number {
  const { grid } = itemAt(relief.floors, floorAt(relief, from.z));
  const dx = Math.cos(heading);
  const dy = Math.sin(heading);
  let distance = 24;
  while (distance < farthest) {
    const edge = edgeAt(grid, from.x + dx * distance, from.y + dy * distance);
    if (edge < -wallDepth) return distance;
    distance += Math.max(grid.cell * 0.8, edge * 0.7);
  }
  return farthest;
}

/** This far outside the drawn ground a wall is drawn. */
const drawnWallDepth = 3;

/** How far a player sees the ground in a direction before what is drawn as a wall or a ledge above their eyes, at most `farthest`. */
export function viewDistance(relief: Relief, from: Place, heading: number, farthest: number): number {
  const { grid } = itemAt(relief.floors, floorAt(relief, from.z));
  const dx = Math.cos(heading);
  const dy = Math.sin(heading);
  const eyes = from.z + eyeHeight;
  // The relief is not accurate enough this close: players touch walls.
  let distance = 24;
  while (distance < farthest) {
    const x = from.x + dx * distance;
    const y = from.y + dy * distance;
    const edge = edgeAt(grid, x, y);
    if (edge < -drawnWallDepth || heightAt(grid, x, y) > eyes) return distance;
    distance += Math.max(grid.cell * 0.5, Math.min(edge * 0.7, 24));
  }
  return farthest;
}

/** Whether nothing is between two eyes: no wall, no ledge, no smoke. */
function hasLineOfSight(relief: Relief, from: Place, to: Place, toHeight: number, smokes: readonly Place[]): boolean {
  const floor = floorAt(relief, from.z);
  if (floor !== floorAt(relief, to.z)) return false;
  const { grid } = itemAt(relief.floors, floor);
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const distance = Math.hypot(dx, dy);
  for (const smoke of smokes) if (passesThrough(from, to, smoke)) return false;
  const startZ = from.z + eyeHeight;
  const endZ = to.z + toHeight;
  // The first and last steps are skipped: players touch walls, and the relief is not that accurate.
  for (let along = 32; along < distance - 32; ) {
    const x = from.x + (dx * along) / distance;
    const y = from.y + (dy * along) / distance;
    const edge = edgeAt(grid, x, y);
    if (edge < -wallDepth) return false;
    const ray = startZ + ((endZ - startZ) * along) / distance;
    if (edge > 0 && heightAt(grid, x, y) > ray + 6) return false;
    along += Math.max(grid.cell, Math.min(edge * 0.5, 24));
  }
  return true;
}

function passesThrough(from: Place, to: Place, smoke: Place): boolean {
  if (Math.abs(smoke.z - (from.z + to.z) / 2) > 220) return false;
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const squared = dx * dx + dy * dy;
  const along = squared === 0 ? 0 : ((smoke.x - from.x) * dx + (smoke.y - from.y) * dy) / squared;
  const part = Math.min(1, Math.max(0, along));
  const away = Math.hypot(from.x + dx * part - smoke.x, from.y + dy * part - smoke.y);
  return away < smokeRadius * 0.85;
}

export function floorAt(relief: Relief, z: number): number {
  return relief.floorHeight !== null && z < relief.floorHeight ? 1 : 0;
}

type Grid = Relief["floors"][number]["grid"];

function edgeAt(grid: Grid, x: number, y: number): number {
  const column = Math.floor((x - grid.west) / grid.cell);
  const row = Math.floor((grid.north - y) / grid.cell);
  if (column < 0 || row < 0 || column >= grid.columns || row >= grid.rows) return -1000;
  return float32At(grid.edgeDistance, row * grid.columns + column);
}

function heightAt(grid: Grid, x: number, y: number): number {
  const column = Math.floor((x - grid.west) / grid.cell);
  const row = Math.floor((grid.north - y) / grid.cell);
  if (column < 0 || row < 0 || column >= grid.columns || row >= grid.rows) return Number.NEGATIVE_INFINITY;
  return float32At(grid.height, row * grid.columns + column);
}

/** What the followed team sees in a segment, judged every few ticks. */
export class TeamSight {
  readonly #timeline: SegmentTimeline;
  readonly #relief: Relief;
  readonly #firstTick: number;
  /** By player: opacity at every step. Absent for the followed team. */
  readonly #opacity: ReadonlyMap<PlayerIndex, Float32Array>;
  readonly #watchers: PlayerIndex[];

  constructor(timeline: SegmentTimeline, relief: Relief) {
    this.#timeline = timeline;
    this.#relief = relief;
    const { segment, tickRate, roster } = timeline;
    // A second of run-up, so that fading is under way when the segment begins.
    this.#firstTick = segment.startTick - tickRate;
    const steps = Math.ceil((segment.endTick - this.#firstTick) / stepTicks) + 2;
    this.#watchers = roster.filter((player) => timeline.isTeammate(player, segment.player));
    const hidden = roster
      .filter((player) => !timeline.isTeammate(player, segment.player))
      .map((player) => ({ player, opacity: 0, opacities: new Float32Array(steps) }));
    this.#opacity = new Map(hidden.map(({ player, opacities }) => [player, opacities]));
    for (let step = 0; step < steps; step++) {
      const tick = this.#firstTick + step * stepTicks;
      const watchers = this.#watchersAt(tick);
      const smokes = this.#smokesAt(tick);
      for (const opponent of hidden) {
        const { player, opacities } = opponent;
        const state = timeline.state(player, tick);
        const isSeen =
          state !== null && (this.#isInContact(player, tick) || this.#isWatched(watchers, state, chestHeight, smokes));
        const seconds = stepTicks / tickRate;
        const change = isSeen ? seconds / fadeInSeconds : -seconds / fadeOutSeconds;
        opponent.opacity = Math.min(1, Math.max(0, opponent.opacity + change));
        opacities[step] = opponent.opacity;
      }
    }
  }

  /** How visible a player is at a tick: 1 for the followed team, 0 for an opponent nobody sees. */
  opacity(player: PlayerIndex, tick: number): number {
    const opacities = this.#opacity.get(player);
    if (!opacities) return 1;
    const position = Math.min(opacities.length - 1, Math.max(0, (tick - this.#firstTick) / stepTicks));
    const step = Math.floor(position);
    const here = float32At(opacities, step);
    return here + ((opacities[step + 1] ?? here) - here) * (position - step);
  }

  /** Whether anybody on the followed team sees a place at a tick. */
  sees(place: Place, tick: number): boolean {
    return this.#isWatched(this.#watchersAt(tick), place, 0, this.#smokesAt(tick));
  }

  #watchersAt(tick: number): PlayerState[] {
    const watchers: PlayerState[] = [];
    for (const player of this.#watchers) {
      if (!this.#timeline.isAlive(player, tick)) continue;
      const state = this.#timeline.state(player, tick);
      if (state) watchers.push(state);
    }
    return watchers;
  }

  #smokesAt(tick: number): Place[] {
    const { grenades, tickRate } = this.#timeline;
    const grown = tick - smokeGrowsSeconds * tickRate;
    return grenades
      .filter((grenade) => grenade.kind === "smoke" && grown >= grenade.detonateTick && tick < grenade.expireTick)
      .map(restingPlace);
  }

  #isWatched(watchers: readonly PlayerState[], place: Place, height: number, smokes: readonly Place[]): boolean {
    return watchers.some((watcher) => {
      const bearing = Math.atan2(place.y - watcher.y, place.x - watcher.x) - (watcher.yaw * Math.PI) / 180;
      const turned = Math.abs(Math.atan2(Math.sin(bearing), Math.cos(bearing)));
      return turned <= halfView && hasLineOfSight(this.#relief, watcher, place, height, smokes);
    });
  }

  /** A clean hit proves a line of sight even if the relief, which is not exact, denies it. */
  #isInContact(player: PlayerIndex, tick: number): boolean {
    const reach = contactSeconds * this.#timeline.tickRate;
    return this.#timeline.kills.some(
      (kill) =>
        kill.victim === player &&
        kill.attacker !== null &&
        this.#timeline.isTeammate(kill.attacker, this.#timeline.segment.player) &&
        kill.penetrated === 0 &&
        !kill.throughSmoke &&
        !kill.attackerBlind &&
        !/grenade|inferno|molotov|decoy|flashbang|c4/.test(kill.weapon) &&
        Math.abs(kill.tick - tick) <= reach,
    );
  }
}

/** Where a grenade came to rest or went off. */
export function restingPlace(grenade: RecordedGrenade): Place {
  const [, x, y, z] = grenade.path[grenade.path.length - 1]!;
  return { x, y, z };
}
