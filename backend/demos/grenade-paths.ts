import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { parseGrenades } from "@laihoe/demoparser2";
import type { GrenadeKind, MatchRecord, RecordedGrenade } from "../../replay/match-record.ts";
import { askParser } from "./ask-parser.ts";
import type { DemoFrames } from "./demo-frames.ts";

/** A row of `parseGrenades`: one projectile at one tick. */
interface ProjectileRow {
  grenade_entity_id: number;
  grenade_type: string;
  steamid: string;
  tick: number;
  x: number | null;
  y: number | null;
  z: number | null;
}

const kindsOfProjectile: Record<string, readonly GrenadeKind[]> = {
  CSmokeGrenadeProjectile: ["smoke"],
  CFlashbangProjectile: ["flash"],
  CHEGrenadeProjectile: ["he"],
  CMolotovProjectile: ["molotov", "incendiary"],
  CDecoyProjectile: ["decoy"],
};

/** Points of a path that lie this close to the straight way between their neighbours (in time, too) are left out. */
const pathTolerance = 4;

/** Between the throw in the events and the projectile's first appearance. */
const longestReleaseSeconds = 1;

/**
 * The grenades of a match with their flights drawn, for those that fly in one of the windows.
 *
 * The parser can only list every projectile of a whole file at every tick (measured: 4.7 s and 1.3 GB for a match, mostly
 * smokes lying still), so it is given a shorter demo: from every full packet, which holds a whole state, to the end of the
 * last flight wanted before the next (decision 032).
 *
 * @throws DemoImportError `parser_failed`; errors of the file system
 */
export async function withGrenadePaths(
  path: string,
  record: MatchRecord,
  frames: DemoFrames,
  windows: readonly { startTick: number; endTick: number }[],
): Promise<RecordedGrenade[]> {
  const wanted = wantedFlights(record.grenades, windows);
  const ranges = byteRanges(frames, wanted);
  if (ranges.length === 0) return record.grenades;
  const shortened = `${path}.flights`;
  try {
    await writeShortened(path, shortened, [{ start: 0, end: frames.signonEnd }, ...ranges]);
    const rows = askParser(() => parseGrenades(shortened, [], false) as ProjectileRow[]);
    return drawPaths(record, wanted, flightsOf(rows));
  } finally {
    await rm(shortened, { force: true });
  }
}

/** A grenade that flies in a window, and until when it is seen to. */
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

interface ByteRange {
  start: number;
  /** Exclusive. */
  end: number;
}

/** From each full packet to the last packet of a wanted flight before the next one. */
function byteRanges(frames: DemoFrames, wanted: readonly WantedFlight[]): ByteRange[] {
  return frames.fullPackets.flatMap((fullPacket, index) => {
    const nextTick = frames.fullPackets[index + 1]?.tick ?? Number.POSITIVE_INFINITY;
    let lastTick = Number.NEGATIVE_INFINITY;
    for (const { startTick, endTick } of wanted) {
      if (startTick < nextTick && endTick >= fullPacket.tick) {
        lastTick = Math.max(lastTick, Math.min(endTick, nextTick - 1));
      }
    }
    const end = endOfPackets(frames, lastTick);
    return end > fullPacket.offset ? [{ start: fullPacket.offset, end }] : [];
  });
}

/** Where the packet of a tick, or the last before it, ends. */
function endOfPackets(frames: DemoFrames, tick: number): number {
  let low = 0;
  let high = frames.packetTicks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (frames.packetTicks[middle]! <= tick) low = middle + 1;
    else high = middle;
  }
  return frames.packetEnds[low - 1] ?? 0;
}

async function writeShortened(from: string, to: string, ranges: readonly ByteRange[]): Promise<void> {
  async function* pieces() {
    for (const { start, end } of ranges) yield* createReadStream(from, { start, end: end - 1 });
    // A stop frame: command 0, tick 0, no payload.
    yield Buffer.from([0, 0, 0]);
  }
  await pipeline(pieces, createWriteStream(to));
}

interface Flight {
  kinds: readonly GrenadeKind[];
  steamId: string;
  points: [number, number, number, number][];
}

/** Rows grouped into one list a projectile: the same entity number is used again once the projectile is gone. */
function flightsOf(rows: readonly ProjectileRow[]): Flight[] {
  const flights: Flight[] = [];
  const open = new Map<number, Flight>();
  for (const row of rows) {
    const kinds = kindsOfProjectile[row.grenade_type];
    if (!kinds || row.x === null || row.y === null || row.z === null) continue;
    let flight = open.get(row.grenade_entity_id);
    const lastTick = flight?.points.at(-1)?.[0] ?? 0;
    if (
      !flight ||
      flight.kinds !== kinds ||
      flight.steamId !== row.steamid ||
      row.tick - lastTick > 16 ||
      row.tick < lastTick
    ) {
      flight = { kinds, steamId: row.steamid, points: [] };
      open.set(row.grenade_entity_id, flight);
      flights.push(flight);
    }
    if (row.tick !== lastTick) flight.points.push([row.tick, row.x, row.y, row.z]);
  }
  return flights;
}

function drawPaths(
  record: MatchRecord,
  wanted: readonly WantedFlight[],
  flights: readonly Flight[],
): RecordedGrenade[] {
  const unclaimed = new Set(flights);
  const drawn = new Map<RecordedGrenade, RecordedGrenade>();
  for (const { grenade } of wanted) {
    const steamId = grenade.thrower === null ? null : record.players[grenade.thrower]?.steamId;
    for (const flight of unclaimed) {
      if (flight.steamId !== steamId || !isFlightOf(flight, grenade, record.tickRate)) continue;
      unclaimed.delete(flight);
      const inFlight = flight.points.filter(([tick]) => tick < grenade.detonateTick);
      const throwTick = Math.min(grenade.throwTick, flight.points[0]![0]);
      drawn.set(grenade, { ...grenade, throwTick, path: simplified([...inFlight, grenade.path.at(-1)!]) });
      break;
    }
  }
  return record.grenades.map((grenade) => drawn.get(grenade) ?? grenade);
}

/** Whether a projectile is a grenade's: it appears with the throw, or is last seen where the grenade goes off. */
function isFlightOf(flight: Flight, grenade: RecordedGrenade, tickRate: number): boolean {
  if (!flight.kinds.includes(grenade.kind)) return false;
  const startTick = flight.points[0]![0];
  const endTick = flight.points.at(-1)![0];
  if (grenade.throwTick === grenade.detonateTick) return Math.abs(endTick - grenade.detonateTick) <= 2;
  const latestStart = Math.min(grenade.throwTick + longestReleaseSeconds * tickRate, grenade.detonateTick);
  return startTick >= grenade.throwTick - 1 && startTick <= latestStart;
}

type PathPoint = [number, number, number, number];

/** Leaves out points that linear interpolation over time gives back to within `pathTolerance`. */
function simplified(points: readonly PathPoint[]): PathPoint[] {
  const kept: PathPoint[] = [points[0]!];
  let from = 0;
  for (let to = 2; to < points.length; to++) {
    if (isStraight(points, from, to)) continue;
    kept.push(points[to - 1]!);
    from = to - 1;
  }
  const last = points.at(-1)!;
  if (last[0] > kept.at(-1)![0]) kept.push(last);
  return kept;
}

function isStraight(points: readonly PathPoint[], from: number, to: number): boolean {
  const [startTick, ...start] = points[from]!;
  const [endTick, ...end] = points[to]!;
  for (let index = from + 1; index < to; index++) {
    const [tick, ...place] = points[index]!;
    const fraction = endTick === startTick ? 0 : (tick - startTick) / (endTick - startTick);
    const distance = Math.hypot(
      ...place.map((value, axis) => value - (start[axis]! + (end[axis]! - start[axis]!) * fraction)),
    );
    if (distance > pathTolerance) return false;
  }
  return true;
}
