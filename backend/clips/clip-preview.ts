import type { ClipPreview } from "../../contract/api.ts";
import { heldSpec } from "../../replay/held-spec.ts";
import { planClipTime } from "../../scene/clip-time.ts";
import { Refusal } from "../refusal.ts";
import type { Services } from "../services.ts";
import type { PlannedClip } from "./plan-clip.ts";
import { blobVersion } from "./read-clips.ts";
import { readStoredOutline } from "./stored-outline.ts";

/**
 * What a browser draws a clip from: its spec, and where the replay track is. As long as its video will be, for which the track is
 * asked: kills that it slows and waits that it shortens are in the match record.
 * @throws Refusal when the replay data has been deleted meanwhile
 */
export async function clipPreview(services: Services, { spec, demo, match }: PlannedClip): Promise<ClipPreview> {
  const outline = demo.track_key ? await readStoredOutline(services, demo.track_key) : null;
  if (!outline) throw new Refusal("match_data_deleted", "The replay of this match is no longer kept.");
  const { frameCount } = planClipTime(outline.record, heldSpec(spec, { windows: outline.stretches }));
  return {
    spec: { ...spec },
    track_url: `/api/matches/${match.id}/track/?v=${blobVersion(demo.track_key)}`,
    duration_seconds: frameCount / spec.framesPerSecond,
  };
}
