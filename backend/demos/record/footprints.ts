import { boundedLine } from "../../../contract/clean-text.ts";
import { textLimits } from "../../../contract/text-limits.ts";
import type { RecordedRound } from "../../../replay/match-record.ts";
import { type Footprints, noPlace } from "../../../replay/replay-track.ts";
import type { ColumnsBySteamId, PlayerColumns } from "./ask-parser.ts";
import { type DemoFrames, packetTickAt } from "./demo-frames.ts";
import type { FoundRound } from "./find-rounds.ts";

/** Steps per second: at 250 units a second they are 125 units apart, close enough to show corridors. */
const footprintRate = 2;

/** In units. Steps farther apart are a respawn or a gap in the recording; the fastest run and fall stay below. */
const maxStep = 900;

/** The packet ticks at which positions are requested: at each end of freeze time, then twice a second until the round ends. */
export function footprintTicks(rounds: readonly FoundRound[], frames: DemoFrames, tickRate: number): number[] {
  const ticks = new Set<number>();
  for (const round of rounds) {
    for (let tick = round.freezeEndTick; tick <= round.endTick; tick += tickRate / footprintRate) {
      ticks.add(packetTickAt(frames.packetTicks, tick));
    }
  }
  return [...ticks].sort((a, b) => a - b);
}

/** Where living players walked during the rounds of a match. Positions in the air are left out, since they are not on the ground. */
export function collectFootprints(columns: ColumnsBySteamId, rounds: readonly RecordedRound[]): Footprints {
  const walks: Walks = { xyz: [], breaks: [], names: new Map(), places: [] };
  for (const column of Object.values(columns)) addWalks(column, rounds, walks);
  const { xyz, breaks, names, places } = walks;
  return {
    xyz: Int16Array.from(xyz),
    breaks: Uint32Array.from(breaks),
    ...(names.size > 0 && { places: { names: [...names.keys()], ofFootprint: Uint8Array.from(places) } }),
  };
}

interface Walks {
  xyz: number[];
  breaks: number[];
  /** Index of each place name. */
  names: Map<string, number>;
  /** Index of the place name of each footprint. */
  places: number[];
}

function placeIndex(name: unknown, names: Map<string, number>): number {
  if (typeof name !== "string") return noPlace;
  const cleaned = boundedLine(name, textLimits.placeName);
  if (cleaned === "") return noPlace;
  if (!names.has(cleaned) && names.size < noPlace) names.set(cleaned, names.size);
  return names.get(cleaned) ?? noPlace;
}

function addWalks(column: PlayerColumns, rounds: readonly RecordedRound[], walks: Walks): void {
  const { xyz, breaks, names, places } = walks;
  const { X = [], Y = [], Z = [], is_alive: alive = [], is_airborne: airborne = [] } = column;
  const { last_place_name: placeNames = [] } = column;
  let round = 0;
  let last: [number, number, number] | null = null;
  column.tick.forEach((tick, row) => {
    while (round + 1 < rounds.length && tick >= rounds[round + 1]!.startTick) {
      round++;
      last = null;
    }
    const place = [X[row], Y[row], Z[row]].map((value) => (typeof value === "number" ? Math.round(value) : Number.NaN));
    const isWorld = place.every((value) => Math.abs(value) <= 32767);
    if (alive[row] !== true || !isWorld || tick > rounds[round]!.endTick) {
      last = null;
      return;
    }
    if (airborne[row] === true) return;
    const [x, y, z] = place as [number, number, number];
    if (!last || Math.hypot(x - last[0], y - last[1], z - last[2]) > maxStep) breaks.push(xyz.length / 3);
    xyz.push(x, y, z);
    places.push(placeIndex(placeNames[row], names));
    last = [x, y, z];
  });
}
