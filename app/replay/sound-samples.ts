import { decodeReplayTrack } from "../../replay/decode-track.ts";
import { heldSpec } from "../../replay/held-spec.ts";
import { composeSoundtrack } from "../../scene/sound/soundtrack.ts";
import { sampleRate } from "../../scene/sound/synthesis.ts";
import type { Sound, SoundJob } from "./stage-messages.ts";

/** The sound of a clip, which is the video's. */
export function makeSamples({ track: bytes, spec, frameCount }: SoundJob): Sound {
  const track = decodeReplayTrack(new Uint8Array(bytes));
  return { sampleRate, ...composeSoundtrack(track, heldSpec(spec, track), frameCount) };
}
