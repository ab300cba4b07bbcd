import { parseTicks } from "@laihoe/demoparser2";
import { float32At, int32At } from "../../../replay/checked-reads.ts";
import { emptySamples, none } from "../../../replay/empty-samples.ts";
import { firstIndexWhere } from "../../../replay/first-index.ts";
import type { MatchRecord, PlayerIndex } from "../../../replay/match-record.ts";
import { HeldGrenade, type PlayerSamples, SampleFlag, type TrackWindow } from "../../../replay/replay-track.ts";
import { DemoImportError } from "../demo-import-error.ts";
import { askParser } from "../record/ask-parser.ts";
import { type DemoFrames, packetTickAt } from "../record/demo-frames.ts";
import { grenadeOfDefinition, weaponOfDefinition } from "../record/weapon-definitions.ts";
import { bombCarrierAt } from "./bomb-carrier.ts";
import type { WindowSpan } from "./track-spans.ts";

const sampledFields = [
  "X",
  "Y",
  "Z",
  "yaw",
  "pitch",
  "is_alive",
  "health",
  "armor_value",
  "has_helmet",
  "has_defuser",
  "is_scoped",
  "is_airborne",
  "duck_amount",
  "item_def_idx",
  "active_weapon_ammo",
  "total_ammo_left",
  "balance",
  "inventory_as_ids",
] as const;

type SampledField = (typeof sampledFields)[number];

/** Samples of a player: a column per requested field with an entry per tick, or an empty one if the demo lacks the field. */
type SampledColumns = { tick: number[] } & Record<SampledField, unknown[]>;

/** Fields that a demo must contain for somebody at some time, so that there is anything to show; all others may be missing. */
const needed: readonly { fields: readonly SampledField[]; says: (value: unknown) => boolean; what: string }[] = [
  { fields: ["X", "Y", "Z"], says: Number.isFinite, what: "where players are" },
  { fields: ["yaw"], says: Number.isFinite, what: "where players look" },
  { fields: ["is_alive"], says: (value) => value === true, what: "who is alive" },
  { fields: ["health"], says: (value) => Number(value) > 0, what: "who is alive" },
];

/**
 * Samples all players' states in the given stretches of a match, in one pass over the demo. Bots have none (decision 031).
 * @throws DemoImportError `parser_failed`; `untold` for a demo without necessary data
 */
export function sampleWindows(
  path: string,
  record: MatchRecord,
  frames: DemoFrames,
  spans: readonly WindowSpan[],
): TrackWindow[] {
  if (spans.length === 0) return [];
  // Recordings can skip ticks (a lower snapshot rate, a stalled server), so the last packet before a sample is used for it.
  const sampled = spans.map((span) => ({
    span,
    packetTicks: Int32Array.from({ length: span.sampleCount }, (_, index) =>
      packetTickAt(frames.packetTicks, span.startTick + index * span.tickStep),
    ),
  }));
  const wanted = [...new Set(sampled.flatMap(({ packetTicks }) => [...packetTicks]))].sort((a, b) => a - b);
  const columns = askParser(
    () => parseTicks(path, [...sampledFields], wanted, null, true, true) as Record<string, SampledColumns>,
  );
  // The parser returns no column for a property that the demo lacks.
  for (const column of Object.values(columns)) for (const field of sampledFields) column[field] ??= [];
  refuseUntold(Object.values(columns));
  const carrierAt = bombCarrierAt(record);
  return sampled.map(({ span, packetTicks }) => ({
    ...span,
    players: record.players.map((player, playerIndex) => {
      const column = player.steamId === null ? undefined : columns[player.steamId];
      return column ? samplesOf(column, packetTicks, playerIndex, carrierAt) : null;
    }),
  }));
}

function refuseUntold(columns: readonly SampledColumns[]): void {
  for (const { fields, says, what } of needed) {
    const missing = fields.find((field) => !columns.some((column) => column[field].some(says)));
    if (missing) throw new DemoImportError("untold", { what }, new Error(`There is no ${missing} in the demo.`));
  }
}

function samplesOf(
  column: SampledColumns,
  ticks: Int32Array,
  player: PlayerIndex,
  carrierAt: (tick: number) => PlayerIndex | null,
): PlayerSamples | null {
  const samples = emptySamples(ticks.length, []);
  const weapons = new Map<string, number>();
  const [firstTick = 0] = ticks;
  let row = firstIndexWhere(column.tick, (tick) => tick >= firstTick);
  let isPresent = false;
  for (let index = 0; index < ticks.length; index++) {
    const tick = int32At(ticks, index);
    while ((column.tick[row] ?? Number.POSITIVE_INFINITY) < tick) row++;
    if (column.tick[row] !== tick) continue;
    const alive = column.is_alive[row] === true && number(column.health, row) > 0;
    samples.flags[index] = SampleFlag.present | (alive ? livingFlags(column, row, carrierAt(tick) === player) : 0);
    samples.money[index] = number(column.balance, row);
    if (alive || !isPresent) copyPlace(column, row, samples, index);
    else holdPlace(samples, index);
    if (alive) copyEquipment(column, row, samples, index, weapons);
    isPresent = true;
  }
  samples.weaponNames = [...weapons.keys()];
  return isPresent ? samples : null;
}

function livingFlags(column: SampledColumns, row: number, hasBomb: boolean): number {
  return (
    SampleFlag.alive |
    (column.is_scoped[row] === true ? SampleFlag.scoped : 0) |
    (column.has_helmet[row] === true ? SampleFlag.helmet : 0) |
    (column.has_defuser[row] === true ? SampleFlag.defuseKit : 0) |
    (column.is_airborne[row] === true ? SampleFlag.airborne : 0) |
    (number(column.duck_amount, row) > 0.5 ? SampleFlag.ducking : 0) |
    (hasBomb ? SampleFlag.hasBomb : 0)
  );
}

function copyPlace(column: SampledColumns, row: number, samples: PlayerSamples, index: number): void {
  samples.x[index] = number(column.X, row);
  samples.y[index] = number(column.Y, row);
  samples.z[index] = number(column.Z, row);
  samples.yaw[index] = halfTurns(number(column.yaw, row));
  samples.pitch[index] = halfTurns(number(column.pitch, row));
}

/** Dead players stay where they fell; their position in the demo is that of the view they watch. */
function holdPlace(samples: PlayerSamples, index: number): void {
  for (const values of [samples.x, samples.y, samples.z, samples.yaw, samples.pitch])
    values[index] = float32At(values, index - 1);
}

function copyEquipment(
  column: SampledColumns,
  row: number,
  samples: PlayerSamples,
  index: number,
  weapons: Map<string, number>,
): void {
  samples.health[index] = Math.min(number(column.health, row), 255);
  samples.armor[index] = Math.min(number(column.armor_value, row), 255);
  const definition = column.item_def_idx[row];
  const weapon = typeof definition === "number" ? weaponOfDefinition(definition) : null;
  if (weapon) {
    if (!weapons.has(weapon) && weapons.size < none) weapons.set(weapon, weapons.size);
    samples.weapon[index] = weapons.get(weapon) ?? none;
  }
  const clip = column.active_weapon_ammo[row];
  // Knives and the bomb have -1, or 2^32 - 1.
  samples.ammoClip[index] = typeof clip === "number" && clip >= 0 && clip < none ? clip : none;
  samples.ammoReserve[index] = Math.max(number(column.total_ammo_left, row), 0);
  samples.grenades[index] = heldGrenades(column.inventory_as_ids[row]);
}

/** `HeldGrenade` bits of the items in an inventory; a second flash is a second item. */
function heldGrenades(inventory: unknown): number {
  if (!Array.isArray(inventory)) return 0;
  let held = 0;
  for (const definition of inventory) {
    const grenade = typeof definition === "number" ? grenadeOfDefinition(definition) : 0;
    held |= grenade === HeldGrenade.flash && held & grenade ? HeldGrenade.secondFlash : grenade;
  }
  return held;
}

function number(values: unknown[], row: number): number {
  const value = values[row];
  return typeof value === "number" ? value : 0;
}

/** Converts to -180..180; some builds give pitch above the horizon as 270..360. */
function halfTurns(degrees: number): number {
  return ((((degrees + 180) % 360) + 360) % 360) - 180;
}
