import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { parseGrenades } from "@laihoe/demoparser2";
import { firstIndexWhere } from "../../../replay/first-index.ts";
import { askParser } from "../record/ask-parser.ts";
import type { DemoFrames } from "../record/demo-frames.ts";

/** A stretch of bytes of a demo; the end is exclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Part of a demo: frames that set a recording up, then stretches that each begin with a full packet. */
export interface DemoPart {
  demoPath: string;
  /** Path of the shortened copy, which is removed again. */
  scratchPath: string;
  ranges: ByteRange[];
}

/** The flight of a projectile. */
export interface Flight {
  entity: number;
  /** The game's class, such as `CSmokeGrenadeProjectile`. */
  projectile: string;
  /** SteamID of the thrower. */
  steamId: string;
  /** Tick, x, y, z, tick, x, …, by time. */
  points: Float64Array;
}

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

/** In ticks. After a longer gap, the same number belongs to another projectile. */
const maxSilence = 16;

/**
 * The byte ranges from each full packet to the last packet of a wanted stretch before the next full packet.
 * @param wanted stretches of ticks
 */
export function rangesOf(frames: DemoFrames, wanted: readonly { startTick: number; endTick: number }[]): ByteRange[] {
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

/** File offset at which the packets of a tick end, or those of the last tick before it. */
function endOfPackets(frames: DemoFrames, tick: number): number {
  const after = firstIndexWhere(frames.packetTicks, (packetTick) => packetTick > tick);
  return frames.packetEnds[after - 1] ?? 0;
}

/**
 * Reads the flights in a part of a demo. Flights that cross the beginning or end of the part are cut there; `joinFlights` joins them again.
 * @throws DemoImportError `parser_failed`; errors of the file system
 */
export async function readFlights(part: DemoPart): Promise<Flight[]> {
  try {
    await writeShortened(part);
    return flightsOf(askParser(() => parseGrenades(part.scratchPath, [], false) as ProjectileRow[]));
  } finally {
    await rm(part.scratchPath, { force: true });
  }
}

/**
 * Reads parts until none is left; several threads may do so at once.
 * @param taken number of parts already taken by any thread, in shared memory
 */
export async function readPartsInTurn(
  parts: readonly DemoPart[],
  taken: Int32Array,
  onRead: (part: number, flights: Flight[]) => void,
): Promise<void> {
  for (;;) {
    const index = Atomics.add(taken, 0, 1);
    const part = parts[index];
    if (!part) return;
    onRead(index, await readFlights(part));
  }
}

async function writeShortened({ demoPath, scratchPath, ranges }: DemoPart): Promise<void> {
  async function* pieces() {
    for (const { start, end } of ranges) yield* createReadStream(demoPath, { start, end: end - 1 });
    // A stop frame: command 0, tick 0, no payload.
    yield Buffer.from([0, 0, 0]);
  }
  await pipeline(pieces, createWriteStream(scratchPath));
}

/** Groups rows by projectile: an entity number is reused once its projectile is gone. */
function flightsOf(rows: readonly ProjectileRow[]): Flight[] {
  const flights: (Omit<Flight, "points"> & { points: number[] })[] = [];
  const open = new Map<number, (typeof flights)[number]>();
  for (const { grenade_entity_id: entity, grenade_type: projectile, steamid: steamId, tick, x, y, z } of rows) {
    if (x === null || y === null || z === null) continue;
    let flight = open.get(entity);
    const lastTick = flight?.points.at(-4) ?? 0;
    if (!flight || !continues(flight, lastTick, { projectile, steamId, tick })) {
      flight = { entity, projectile, steamId, points: [] };
      open.set(entity, flight);
      flights.push(flight);
    }
    if (tick !== lastTick) flight.points.push(tick, x, y, z);
  }
  return flights.map((flight) => ({ ...flight, points: Float64Array.from(flight.points) }));
}

function continues(
  flight: { projectile: string; steamId: string },
  lastTick: number,
  next: { projectile: string; steamId: string; tick: number },
): boolean {
  return (
    flight.projectile === next.projectile &&
    flight.steamId === next.steamId &&
    next.tick - lastTick <= maxSilence &&
    next.tick >= lastTick
  );
}

/** Joins the flights of a demo's parts, given in the order of the parts. */
export function joinFlights(parts: readonly (readonly Flight[])[]): Flight[] {
  const flights: Flight[] = [];
  /** Index in `flights` of each entity's newest flight. */
  const newest = new Map<number, number>();
  for (const part of parts) {
    for (const flight of part) {
      const at = newest.get(flight.entity);
      const before = at === undefined ? undefined : flights[at];
      const [tick = 0] = flight.points;
      if (at !== undefined && before && continues(before, before.points.at(-4) ?? 0, { ...flight, tick })) {
        const points = new Float64Array(before.points.length + flight.points.length);
        points.set(before.points);
        points.set(flight.points, before.points.length);
        flights[at] = { ...before, points };
      } else {
        newest.set(flight.entity, flights.length);
        flights.push(flight);
      }
    }
  }
  return flights;
}
