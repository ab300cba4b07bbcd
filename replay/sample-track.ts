import * as checkedReads from "./checked-reads.ts";
import { firstIndexWhere } from "./first-index.ts";
import type { PlayerIndex } from "./match-record.ts";
import { type PlayerSamples, type ReplayTrack, SampleFlag, type TrackWindow } from "./replay-track.ts";

// Copied, because some module formats look up an import at every use, and these are in inner loops.
const { float32At, uint8At, uint16At } = checkedReads;

/** One player at one moment. Units as in `PlayerSamples`. */
export interface PlayerState {
  x: number;
  y: number;
  z: number;
  /** Degrees, -180..180, counter-clockwise from +x. */
  yaw: number;
  /** Degrees, -90 (up) .. 90 (down). */
  pitch: number;
  alive: boolean;
  health: number;
  armor: number;
  scoped: boolean;
  helmet: boolean;
  defuseKit: boolean;
  hasBomb: boolean;
  airborne: boolean;
  ducking: boolean;
  /** Weapon in hand without `weapon_`; null for none. */
  weapon: string | null;
  /** Rounds in the magazine; null for what has none. */
  ammoClip: number | null;
  ammoReserve: number;
  money: number;
  /** Bits of `HeldGrenade`. */
  grenades: number;
}

/** `ammoClip` and `weapon` of a sample without one. */
const none = 255;

/**
 * Fastest plausible movement in units per tick: the engine caps velocity at 3500 units a second (`sv_maxvelocity`), which
 * is 55 per tick; anything faster is a respawn or teleport and is not drawn as a glide.
 */
const fastestUnitsPerTick = 64;

/** The window that knows players' states at `tick` (fractional ticks allowed), or null between windows. */
export function windowAt(track: ReplayTrack, tick: number): TrackWindow | null {
  // Windows are sorted and do not overlap (`trackSpans`), so it is the last that has begun, or none.
  const after = firstIndexWhere(track.windows, (window) => window.startTick > tick);
  const window = track.windows[after - 1];
  return window && tick < window.endTick + window.tickStep ? window : null;
}

/**
 * A player's state at a tick of a window, fractional ticks allowed; ticks outside are taken as the window's first or last.
 * Positions follow a Catmull-Rom curve through the samples, angles turn the shorter way, everything else steps.
 * Null while the player is not there (before they joined, after they left).
 */
export function stateAt(window: TrackWindow, player: PlayerIndex, tick: number): PlayerState | null {
  const samples = window.players[player];
  if (!samples || window.sampleCount === 0) return null;
  const position = Math.min(Math.max((tick - window.startTick) / window.tickStep, 0), window.sampleCount - 1);
  const index = Math.floor(position);
  const flags = uint8At(samples.flags, index);
  if ((flags & SampleFlag.present) === 0) return null;

  const fraction = position - index;
  const moves = fraction > 0 && isContinuous(window, samples, index, index + 1);
  const before = moves && index > 0 && isContinuous(window, samples, index - 1, index) ? index - 1 : index;
  const after =
    moves && index + 2 < window.sampleCount && isContinuous(window, samples, index + 1, index + 2)
      ? index + 2
      : index + 1;
  const along = (values: Float32Array) =>
    moves
      ? catmullRom(
          float32At(values, before),
          float32At(values, index),
          float32At(values, index + 1),
          float32At(values, after),
          fraction,
        )
      : float32At(values, index);

  const weapon = uint8At(samples.weapon, index);
  const ammoClip = uint8At(samples.ammoClip, index);
  return {
    x: along(samples.x),
    y: along(samples.y),
    z: along(samples.z),
    yaw: moves
      ? turn(float32At(samples.yaw, index), float32At(samples.yaw, index + 1), fraction)
      : float32At(samples.yaw, index),
    pitch: moves
      ? float32At(samples.pitch, index) +
        (float32At(samples.pitch, index + 1) - float32At(samples.pitch, index)) * fraction
      : float32At(samples.pitch, index),
    alive: (flags & SampleFlag.alive) !== 0,
    health: uint8At(samples.health, index),
    armor: uint8At(samples.armor, index),
    scoped: (flags & SampleFlag.scoped) !== 0,
    helmet: (flags & SampleFlag.helmet) !== 0,
    defuseKit: (flags & SampleFlag.defuseKit) !== 0,
    hasBomb: (flags & SampleFlag.hasBomb) !== 0,
    airborne: (flags & SampleFlag.airborne) !== 0,
    ducking: (flags & SampleFlag.ducking) !== 0,
    weapon: weapon === none ? null : (samples.weaponNames[weapon] ?? null),
    ammoClip: ammoClip === none ? null : ammoClip,
    ammoReserve: uint16At(samples.ammoReserve, index),
    money: uint16At(samples.money, index),
    grenades: uint8At(samples.grenades, index),
  };
}

/** Whether the same living body went from one sample to the next: both exist, alive, and no farther apart than a player can move. */
function isContinuous(window: TrackWindow, samples: PlayerSamples, from: number, to: number): boolean {
  return isWalk(samples, from, to, window.tickStep);
}

/** Like `isContinuous`, for samples `ticks` apart. */
export function isWalk(samples: PlayerSamples, from: number, to: number, ticks: number): boolean {
  const living = SampleFlag.present | SampleFlag.alive;
  if ((uint8At(samples.flags, from) & living) !== living || (uint8At(samples.flags, to) & living) !== living)
    return false;
  const distance = Math.hypot(
    float32At(samples.x, to) - float32At(samples.x, from),
    float32At(samples.y, to) - float32At(samples.y, from),
    float32At(samples.z, to) - float32At(samples.z, from),
  );
  return distance <= fastestUnitsPerTick * ticks;
}

/** Uniform Catmull-Rom curve from `b` to `c` at `t` in 0..1, with neighbours `a` and `d`. */
function catmullRom(a: number, b: number, c: number, d: number, t: number): number {
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

/** Interpolates between two headings the shorter way round, in degrees -180..180. */
function turn(from: number, to: number, fraction: number): number {
  const difference = ((((to - from + 180) % 360) + 360) % 360) - 180;
  const turned = from + difference * fraction;
  return ((((turned + 180) % 360) + 360) % 360) - 180;
}
