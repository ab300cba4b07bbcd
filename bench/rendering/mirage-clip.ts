import { buildClipSpec } from "../../backend/clips/create/build-clip-spec.ts";
import { everyLayer, parsedDemo } from "../../backend/video/testing/parsed-demo.ts";
import { type ClipFormat, clipFormats } from "../../contract/clip-formats.ts";
import type { ClipSpec } from "../../replay/clip-spec.ts";
import type { ReplayTrack } from "../../replay/replay-track.ts";

/** The two best highlights of a real match in one clip, as for a player, with all settings on; in each format. */
export async function mirageClip(
  folder: string,
): Promise<{ track: ReplayTrack; specOf: (format: ClipFormat) => ClipSpec }> {
  const { track, highlights } = await parsedDemo("match-de_mirage.dem.bz2", folder);
  const best = [...highlights].sort((a, b) => b.score - a.score).slice(0, 2);
  const settings = { ...everyLayer, pre_time_adjustment: 2, post_time_adjustment: 0 };
  const specOf = (format: ClipFormat) => {
    const { width, height, framesPerSecond: fps } = clipFormats[format];
    return buildClipSpec(track.record, best, settings, { title: "The two best moments", width, height, fps });
  };
  return { track, specOf };
}
