import type { ClipSegment, ClipSpec } from "../../replay/clip-spec.ts";
import type { ReplayTrack } from "../../replay/replay-track.ts";
import type { ClipScene } from "../../scene/index.ts";

/** Seconds of play from the decisive moment to its picture, in which tracer and death ring are both visible. */
const delaySeconds = 0.08;

interface DecisiveMoment {
  segment: ClipSegment;
  tick: number;
  /** Number of kills and defuses of its highlight. */
  moments: number;
}

/**
 * The last moment of the highlight with the most kills whose end the clip shows; the first of several. Null if the clip shows no
 * highlight's end.
 */
function decisiveMoment({ segments }: ClipSpec): DecisiveMoment | null {
  const shown = segments.flatMap((segment) =>
    segment.captions.flatMap(({ momentTicks }): DecisiveMoment[] => {
      const tick = momentTicks.at(-1);
      const isShown = tick !== undefined && tick >= segment.startTick && tick < segment.endTick;
      return isShown ? [{ segment, tick, moments: momentTicks.length }] : [];
    }),
  );
  return shown.reduce<DecisiveMoment | null>((best, one) => (best && best.moments >= one.moments ? best : one), null);
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
 * The stretch of a clip around its decisive moment as a picture of another size, without panels. Only that stretch is planned, and the
 * camera need not make room for panels.
 * @param size pixels, and frames per second
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
