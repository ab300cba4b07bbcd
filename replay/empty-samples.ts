import type { PlayerSamples } from "./replay-track.ts";

/** No weapon, or no magazine. */
export const none = 255;

/** A player's samples to be filled in. @param weaponNames what `weapon` counts in */
export function emptySamples(count: number, weaponNames: string[]): PlayerSamples {
  return {
    x: new Float32Array(count),
    y: new Float32Array(count),
    z: new Float32Array(count),
    yaw: new Float32Array(count),
    pitch: new Float32Array(count),
    health: new Uint8Array(count),
    armor: new Uint8Array(count),
    flags: new Uint8Array(count),
    weapon: new Uint8Array(count).fill(none),
    ammoClip: new Uint8Array(count).fill(none),
    ammoReserve: new Uint16Array(count),
    money: new Uint16Array(count),
    grenades: new Uint8Array(count),
    weaponNames,
  };
}
