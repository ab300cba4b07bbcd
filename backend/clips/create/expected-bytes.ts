import { type ClipFormat, formatOfSize } from "../../../contract/clip-formats.ts";
import type { ClipSpec } from "../../../replay/clip-spec.ts";

/** Of a second of video, as measured for docs/scaling.md. */
const bytesPerSecond: Record<ClipFormat, number> = { "720p": 310_000, "1080p": 520_000, vertical: 470_000 };

/** What a video will take, more or less. */
export function expectedVideoBytes(seconds: number, format: ClipFormat): number {
  return Math.ceil(Math.max(0, seconds) * bytesPerSecond[format]);
}

/** The same of a clip that is not drawn yet. */
export function expectedClipBytes(spec: ClipSpec, tickRate: number): number {
  const ticks = spec.segments.reduce((sum, { startTick, endTick }) => sum + endTick - startTick, 0);
  return expectedVideoBytes(ticks / tickRate, formatOfSize(spec));
}
