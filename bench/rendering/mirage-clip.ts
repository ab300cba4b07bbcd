import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { buildClipSpec } from "../../backend/clips/build-clip-spec.ts";
import { startParse } from "../../backend/demos/start-parse.ts";
import type { ClipSpec } from "../../replay/clip-spec.ts";
import { decodeReplayTrack } from "../../replay/decode-track.ts";
import type { ReplayTrack } from "../../replay/replay-track.ts";

const demo = fileURLToPath(new URL("../../tests/fixtures/demos/match-de_mirage.dem.bz2", import.meta.url));

/** The two best highlights of a real match in one clip, as a player gets it: 1280 × 720, all settings on. */
export async function mirageClip(folder: string): Promise<{ track: ReplayTrack; spec: ClipSpec }> {
  const directory = join(folder, "parse");
  mkdirSync(directory);
  const parsed = await startParse({ path: demo, directory, maxBytes: 1024 ** 3 });
  if (parsed.isKnown) throw new Error("A demo that nobody knows is known.");
  const track = decodeReplayTrack(gunzipSync(readFileSync(parsed.trackPath)));
  const best = [...parsed.highlights].sort((a, b) => b.score - a.score).slice(0, 2);
  const spec = buildClipSpec(
    track.record,
    best,
    {
      xray: true,
      hud: true,
      radar: true,
      killfeed: true,
      highlight_info: true,
      watermark: true,
      pre_time_adjustment: 2,
      post_time_adjustment: 0,
    },
    { title: "The two best moments", width: 1280, height: 720, fps: 60 },
  );
  return { track, spec };
}
