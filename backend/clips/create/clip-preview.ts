import type { ClipPreview } from "../../../contract/schemas/create-clip.ts";
import type { ClipSpec } from "../../../replay/clip-spec.ts";
import type { DemoRow } from "../../storage/schema.ts";
import { blobVersion } from "../read-clips.ts";

/** What a browser draws a clip from: its spec, and where the replay track is. */
export function clipPreview(spec: ClipSpec, demo: Pick<DemoRow, "timing" | "track_key">, matchId: string): ClipPreview {
  const ticks = spec.segments.reduce((sum, { startTick, endTick }) => sum + endTick - startTick, 0);
  return {
    spec: { ...spec },
    track_url: `/api/matches/${matchId}/track/?v=${blobVersion(demo.track_key)}`,
    duration_seconds: ticks / demo.timing.tickRate,
  };
}
