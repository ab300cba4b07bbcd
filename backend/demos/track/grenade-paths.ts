import { availableParallelism } from "node:os";
import { join } from "node:path";
import { float64At } from "../../../replay/checked-reads.ts";
import type { GrenadeKind, MatchRecord, RecordedGrenade } from "../../../replay/match-record.ts";
import type { DemoFrames } from "../record/demo-frames.ts";
import { type DemoPart, type Flight, rangesOf } from "./grenade-flights.ts";
import { readFlightsBeside } from "./read-flights-beside.ts";

const kindsOfProjectile: Record<string, readonly GrenadeKind[]> = {
  CSmokeGrenadeProjectile: ["smoke"],
  CFlashbangProjectile: ["flash"],
  CHEGrenadeProjectile: ["he"],
  CMolotovProjectile: ["molotov", "incendiary"],
  CDecoyProjectile: ["decoy"],
};

/**
 * In units. Points of a path are left out if they are this close to the straight line between their neighbours, with time taken into
 * account.
 */
const pathTolerance = 4;

/** Between the throw event and the projectile's first appearance. */
const maxReleaseSeconds = 1;

/** Full packets (one a minute) in a part of a demo at most: each adds some ten megabytes of rows. */
const maxPartLength = 8;

/** Grenades whose flights are being read. */
export interface GrenadePaths {
  /** The grenades of the match, with flights for those that fly in one of the windows or happened to be read. */
  finish(): Promise<RecordedGrenade[]>;
  /** Ends the reading, finished or not. */
  stop(): Promise<void>;
}

/**
 * Starts reading the flights of grenades, in a separate thread if there is a core for it.
 *
 * The parser can only list every projectile of a whole file at every tick (measured: 4.7 s and 1.3 GB for a match, mostly smokes lying
 * still). So it gets shorter demos: from each full packet, which holds a whole state, to the end of the last wanted flight before the next,
 * several of these at a time (decision 032). Other flights within these parts are kept as well; the remaining grenades keep the two ends
 * known from events (decision 133).
 *
 * `finish` throws DemoImportError `parser_failed`, and errors of the file system.
 */
export function startGrenadePaths(
  places: Pick<DemoPart, "demoPath"> & { scratchDirectory: string },
  record: MatchRecord,
  frames: DemoFrames,
  windows: readonly { startTick: number; endTick: number }[],
  maxThreads = availableParallelism(),
): GrenadePaths {
  const wanted = wantedFlights(record.grenades, windows);
  const reading = readFlightsBeside(demoParts(places, frames, wanted), maxThreads);
  return {
    finish: async () => drawPaths(record, wanted, await reading.finish()),
    stop: reading.stop,
  };
}

function demoParts(
  { demoPath, scratchDirectory }: Parameters<typeof startGrenadePaths>[0],
  frames: DemoFrames,
  wanted: readonly WantedFlight[],
): DemoPart[] {
  const ranges = rangesOf(frames, wanted);
  const parts: DemoPart[] = [];
  for (let first = 0; first < ranges.length; first += maxPartLength) {
    const own = ranges.slice(first, first + maxPartLength);
    parts.push({
      demoPath,
      scratchPath: join(scratchDirectory, `flights-${parts.length}.dem`),
      ranges: [{ start: 0, end: frames.signonEnd }, ...own],
    });
  }
  return parts;
}

/** A grenade that flies in a window, and the tick until which it is visible there. */
interface WantedFlight {
  grenade: RecordedGrenade;
  startTick: number;
  endTick: number;
}

function wantedFlights(
  grenades: readonly RecordedGrenade[],
  windows: readonly { startTick: number; endTick: number }[],
): WantedFlight[] {
  return grenades.flatMap((grenade) => {
    const seen = windows.filter(
      (window) => grenade.throwTick <= window.endTick && grenade.detonateTick >= window.startTick,
    );
    if (seen.length === 0) return [];
    const windowEnd = Math.max(...seen.map((window) => window.endTick));
    return [{ grenade, startTick: grenade.throwTick, endTick: Math.min(grenade.detonateTick, windowEnd) }];
  });
}

function drawPaths(
  record: MatchRecord,
  wanted: readonly WantedFlight[],
  flights: readonly Flight[],
): RecordedGrenade[] {
  const unclaimed = new Set(flights);
  const drawn = new Map<RecordedGrenade, RecordedGrenade>();
  // Those in windows choose first, so that their paths in a clip do not depend on what else was read.
  const first = new Set(wanted.map(({ grenade }) => grenade));
  for (const grenade of [...first, ...record.grenades.filter((each) => !first.has(each))]) {
    const steamId = grenade.thrower === null ? null : record.players[grenade.thrower]?.steamId;
    for (const flight of unclaimed) {
      const [startTick] = flight.points;
      if (startTick === undefined || flight.steamId !== steamId) continue;
      if (!isFlightOf(flight, startTick, grenade, record.tickRate)) continue;
      unclaimed.delete(flight);
      const inFlight = pathPoints(flight).filter(([tick]) => tick < grenade.detonateTick);
      const throwTick = Math.min(grenade.throwTick, startTick);
      drawn.set(grenade, { ...grenade, throwTick, path: simplified([...inFlight, ...grenade.path.slice(-1)]) });
      break;
    }
  }
  return record.grenades.map((grenade) => drawn.get(grenade) ?? grenade);
}

/** Whether a projectile belongs to a grenade: it appears with the throw, or is last seen where the grenade detonates. */
function isFlightOf(flight: Flight, startTick: number, grenade: RecordedGrenade, tickRate: number): boolean {
  if (!kindsOfProjectile[flight.projectile]?.includes(grenade.kind)) return false;
  const endTick = flight.points.at(-4) ?? startTick;
  if (grenade.throwTick === grenade.detonateTick) return Math.abs(endTick - grenade.detonateTick) <= 2;
  const latestStart = Math.min(grenade.throwTick + maxReleaseSeconds * tickRate, grenade.detonateTick);
  return startTick >= grenade.throwTick - 1 && startTick <= latestStart;
}

type PathPoint = [tick: number, x: number, y: number, z: number];

function pathPoints({ points }: Flight): PathPoint[] {
  return Array.from({ length: points.length / 4 }, (_, index) => {
    const at = index * 4;
    return [float64At(points, at), float64At(points, at + 1), float64At(points, at + 2), float64At(points, at + 3)];
  });
}

/** Leaves out points that linear interpolation over time restores to within `pathTolerance`. */
function simplified(points: readonly PathPoint[]): PathPoint[] {
  const [first] = points;
  if (!first) return [];
  const kept = [first];
  let newest = first;
  /** Points between the newest kept point and the current one. */
  let between: PathPoint[] = [];
  for (const point of points.slice(1)) {
    const before = between.at(-1);
    if (before && !isStraight(newest, between, point)) {
      kept.push(before);
      newest = before;
      between = [];
    }
    between.push(point);
  }
  const last = between.at(-1);
  if (last && last[0] > newest[0]) kept.push(last);
  return kept;
}

function isStraight(start: PathPoint, between: readonly PathPoint[], end: PathPoint): boolean {
  const [startTick, startX, startY, startZ] = start;
  const [endTick, endX, endY, endZ] = end;
  return between.every(([tick, x, y, z]) => {
    const fraction = endTick === startTick ? 0 : (tick - startTick) / (endTick - startTick);
    const distance = Math.hypot(
      x - (startX + (endX - startX) * fraction),
      y - (startY + (endY - startY) * fraction),
      z - (startZ + (endZ - startZ) * fraction),
    );
    return distance <= pathTolerance;
  });
}
