import { decodeReplayTrack } from "../../replay/decode-track.ts";
import { composeSoundtrack } from "../../scene/sound/soundtrack.ts";
import { sampleRate } from "../../scene/sound/voices.ts";
import type { Sound, SoundJob } from "./stage-messages.ts";

/** The sound of a clip, which is the video's. */
export function makeSamples({ track, spec, frameCount }: SoundJob): Sound {
  return { sampleRate, ...composeSoundtrack(decodeReplayTrack(new Uint8Array(track)), spec, frameCount) };
}
