import type { MatchRecord } from "./match-record.ts";

/**
 * The replay track: everything needed to draw any highlight of a match without its demo.
 *
 * It contains the match record, for every highlight a window of player states sampled `sampleRate` times a second, windows of the
 * rest of the rounds sampled less often, and a sparse trace of where players walked in the whole match, from which the map's relief is drawn.
 */
export interface ReplayTrack {
  record: MatchRecord;
  /** Samples a second in the windows around highlights; 32. */
  sampleRate: number;
  windows: TrackWindow[];
  /** Where players walked during the match, for the map relief. */
  footprints: Footprints;
}

/**
 * A stretch of ticks in which all players' states are known. Windows are in tick order. The next may begin where one ends, and a window
 * with a larger step may end up to one such step later.
 */
export interface TrackWindow {
  startTick: number;
  /** Inclusive; `startTick + (sampleCount - 1) * tickStep`. */
  endTick: number;
  /** Ticks between two samples (2 at 64 ticks and 32 Hz); each window has its own. */
  tickStep: number;
  sampleCount: number;
  /** One entry per `record.players`; null when the player was absent throughout. */
  players: (PlayerSamples | null)[];
}

/** Arrays of length `sampleCount`; `flags` says which samples exist. */
export interface PlayerSamples {
  /** World units, quantised to 1/4 unit. */
  x: Float32Array;
  y: Float32Array;
  z: Float32Array;
  /** Degrees, -180..180, counter-clockwise from +x. */
  yaw: Float32Array;
  /** Degrees, -90 (up) .. 90 (down). */
  pitch: Float32Array;
  health: Uint8Array;
  armor: Uint8Array;
  /** Bits of `SampleFlag`. */
  flags: Uint8Array;
  /** Index into `weaponNames`; 255 for none. */
  weapon: Uint8Array;
  /** Rounds in the magazine, 255 = not applicable. */
  ammoClip: Uint8Array;
  ammoReserve: Uint16Array;
  money: Uint16Array;
  /** Grenades held, as bits of `HeldGrenade`; always 0 in tracks before version 3. */
  grenades: Uint8Array;
  /** Names without `weapon_`, as in kill events. */
  weaponNames: string[];
}

export const SampleFlag = {
  present: 1,
  alive: 2,
  scoped: 4,
  helmet: 8,
  defuseKit: 16,
  hasBomb: 32,
  airborne: 64,
  ducking: 128,
} as const;

/** Grenades that a player can carry: one of each kind, and two flashes. Two flashes are `flash | secondFlash`. */
export const HeldGrenade = {
  smoke: 1,
  flash: 2,
  secondFlash: 4,
  he: 8,
  /** Molotov or incendiary: nobody can carry both. */
  fire: 16,
  decoy: 32,
} as const;

/** Positions as xyz triples in world units, grouped into unbroken walks: `breaks` lists the first index of each walk. */
export interface Footprints {
  xyz: Int16Array;
  breaks: Uint32Array;
  /** The map's names for where they are. Absent in older tracks, and if the demo has none. */
  places?: FootprintPlaces;
}

export interface FootprintPlaces {
  /** As the game names them: `BombsiteA`, `TopofMid`. Untrusted text. At most 255. */
  names: string[];
  /** For every footprint an index into `names`, or `noPlace` if the map has no name there. */
  ofFootprint: Uint8Array;
}

export const noPlace = 255;
