import { float32At, uint8At } from "../replay/checked-reads.ts";
import type { ClipSpec } from "../replay/clip-spec.ts";
import { type Footprints, type ReplayTrack, SampleFlag } from "../replay/replay-track.ts";
import { unitOf } from "./layout.ts";
import { buildRelief, type Relief } from "./relief/build-relief.ts";
import { type ClipScene, createSceneOn, type SceneOnReliefOptions } from "./scene-on-relief.ts";

export type { ClipScene } from "./scene-on-relief.ts";
export type { LayeredFrame } from "./segment-painter.ts";

export interface SceneOptions extends Omit<SceneOnReliefOptions, "relief"> {
  /** A relief built before on the same ground, to save building it again. */
  relief?: Relief;
}

/** Builds the scene of a clip: what takes long (map, camera, sight, names) is done here, so that frames are cheap. */
export function createClipScene(track: ReplayTrack, spec: ClipSpec, options: SceneOptions): ClipScene {
  return createSceneOn(track, spec, { ...options, relief: options.relief ?? buildClipRelief(track, options) });
}

/** Picture pixels per world unit of the finest relief where a unit is a pixel: closer views magnify it by at most half. */
const finestScale = 0.78;
const maxMapPixels = 7_500_000;
/** What a relief is drawn of. */
export type Ground = Pick<ReplayTrack, "footprints" | "windows"> & { record: Pick<ReplayTrack["record"], "map"> };

/** The relief as clips of a frame size (pixels) use it; the same for all clips on the same ground. */
export function buildClipRelief(track: Ground, frame: { width: number; height: number }): Relief {
  const unit = unitOf(frame);
  return buildRelief(track.footprints.xyz.length > 0 ? track.footprints : windowFootprints(track), {
    map: track.record.map,
    finestScale: finestScale * Math.min(unit, 1.4),
    maxPixels: maxMapPixels * Math.min(Math.max(unit, 0.5), 1.5),
  });
}

/** Where players were in the windows: the ground of a track that has no footprints. */
function windowFootprints(track: Pick<Ground, "windows">): Footprints {
  const xyz: number[] = [];
  const breaks: number[] = [];
  for (const window of track.windows) {
    for (const samples of window.players) {
      breaks.push(xyz.length / 3);
      for (let i = 0; samples && i < window.sampleCount; i += 16) {
        if (uint8At(samples.flags, i) & SampleFlag.alive)
          xyz.push(float32At(samples.x, i), float32At(samples.y, i), float32At(samples.z, i));
      }
    }
  }
  if (xyz.length === 0) xyz.push(0, 0, 0);
  return { xyz: Int16Array.from(xyz), breaks: Uint32Array.from(breaks) };
}
