import { float32At, uint8At } from "../../replay/checked-reads.ts";
import { type PlayerSamples, type ReplayTrack, SampleFlag } from "../../replay/replay-track.ts";
import type { Relief } from "../relief/build-relief.ts";
import { drawnGround } from "../relief/drawn-ground.ts";
import { isOnFeet, strideSeconds } from "../relief/on-feet.ts";
import type { Place } from "../sight.ts";

/** Players farther than this above or below the drawn ground look as if they floated, or stood in a pit; in world units. */
const farthestFromGround = 40;
/** How much of the time that players stand or walk the ground is not drawn where they are, 0..1. */
export function offGroundShare(track: ReplayTrack, relief: Relief): number {
  let looks = 0;
  let off = 0;
  for (const place of groundedPlaces(track)) {
    looks++;
    if (Math.abs(place.z - drawnGround(relief, place)) > farthestFromGround) off++;
  }
  return looks === 0 ? 0 : off / looks;
}

/**
 * Where living players stood or walked in a track's windows.
 */
function* groundedPlaces({ windows, sampleRate }: ReplayTrack): Generator<Place> {
  const stride = Math.max(1, Math.round(sampleRate * strideSeconds));
  for (const { players, sampleCount } of windows) {
    for (const samples of players) {
      for (let i = stride; samples && i < sampleCount - stride; i += stride) {
        if (isGrounded(samples, i, stride)) yield placeOf(samples, i);
      }
    }
  }
}

function isGrounded(samples: PlayerSamples, i: number, stride: number): boolean {
  for (const at of [i - stride, i, i + stride]) if ((uint8At(samples.flags, at) & SampleFlag.alive) === 0) return false;
  if (uint8At(samples.flags, i) & SampleFlag.airborne) return false;
  return isOnFeet(placeOf(samples, i - stride), placeOf(samples, i), placeOf(samples, i + stride), strideSeconds);
}

function placeOf(samples: PlayerSamples, i: number): Place {
  return { x: float32At(samples.x, i), y: float32At(samples.y, i), z: float32At(samples.z, i) };
}
