import type { ClipSegment, ClipSpec } from "../../replay/clip-spec.ts";
import type { ReplayTrack } from "../../replay/replay-track.ts";
import type { ClipScene } from "../../scene/index.ts";

/** Pictures show the decisive moment this long after, seconds of play: tracer and death ring are both there. */
const delaySeconds = 0.08;

/** The kill or defuse that completed the first highlight whose end the clip shows; null where it shows none. */
function decisiveMoment({ segments }: ClipSpec): { segment: ClipSegment; tick: number } | null {
  for (const segment of segments) {
    for (const { momentTicks } of segment.captions) {
      const tick = momentTicks.at(-1);
      if (tick !== undefined && tick >= segment.startTick && tick < segment.endTick) return { segment, tick };
    }
  }
  return null;
}

/** The frame of a clip's scene shortly after its decisive moment; without one, a third into the clip. */
export function decisiveFrame(
  scene: Pick<ClipScene, "frameCount" | "frameAt">,
  track: ReplayTrack,
  spec: ClipSpec,
): number {
  const moment = decisiveMoment(spec);
  const frame =
    moment &&
    (scene.frameAt(moment.segment, moment.tick + delaySeconds * track.record.tickRate) ??
      scene.frameAt(moment.segment, moment.tick));
  return frame ?? Math.floor(scene.frameCount / 3);
}

/**
 * The stretch of a clip around its decisive moment as a picture of another size, which nothing lies over. Only that stretch is
 * planned, and the camera has no panels to keep clear of.
 * @param size pixels, and frames a second
 */
export function landscapeMoment(
  spec: ClipSpec,
  size: { width: number; height: number; framesPerSecond: number },
): ClipSpec {
  const moment = decisiveMoment(spec);
  const bare = { hud: false, radar: false, killfeed: false, highlightInfo: false, watermark: false };
  return {
    ...spec,
    ...size,
    ...(moment ? { segments: [moment.segment] } : {}),
    settings: { ...spec.settings, ...bare },
  };
}
