import type { ClipSegment, ClipSpec } from "./clip-spec.ts";
import { recordedStretches, slackTicks } from "./recorded-stretches.ts";
import type { TrackWindow } from "./replay-track.ts";

/**
 * A clip as far as its track holds it. Tracks end where the widest clip of their time ended; what clips have come to show since,
 * such as the win of a clutch long after its last kill, older ones do not have. A clip that a track holds is returned as it is.
 */
export function heldSpec(spec: ClipSpec, { windows }: { windows: readonly TrackTicks[] }): ClipSpec {
  const segments = spec.segments.flatMap((segment) => heldSegment(segment, windows) ?? []);
  // Of nothing the error would be harder to understand than players who stand still.
  if (segments.length === 0) return spec;
  return segments.every((segment, index) => segment === spec.segments[index]) ? spec : { ...spec, segments };
}

type TrackTicks = Pick<TrackWindow, "startTick" | "endTick">;

function heldSegment(segment: ClipSegment, windows: readonly TrackTicks[]): ClipSegment | null {
  const overlap = ({ startTick, endTick }: TrackTicks) =>
    Math.min(endTick, segment.endTick) - Math.max(startTick, segment.startTick);
  const [window] = recordedStretches(windows).sort((a, b) => overlap(b) - overlap(a));
  if (!window || overlap(window) <= 0) return null;
  const startTick = segment.startTick < window.startTick - slackTicks ? window.startTick : segment.startTick;
  const endTick = segment.endTick > window.endTick + slackTicks ? window.endTick : segment.endTick;
  if (startTick === segment.startTick && endTick === segment.endTick) return segment;
  return { ...segment, startTick, endTick };
}
