import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import type { ClipSpec } from "../../../replay/clip-spec.ts";
import { decodeReplayTrack } from "../../../replay/decode-track.ts";
import type { ReplayTrack } from "../../../replay/replay-track.ts";
import { buildClipSpec } from "../../clips/build-clip-spec.ts";
import { startParse } from "../../demos/start-parse.ts";
import type { Highlight } from "../../highlights/highlight.ts";

const reel = fileURLToPath(new URL("../../../tests/fixtures/demos/highlights-reel.dem.gz", import.meta.url));

export interface ParsedReel {
  folder: string;
  track: ReplayTrack;
  trackPath: string;
  /** A small, quick clip of the highlight of that type: 640 × 360. */
  clipOf(type: Highlight["type"], changes?: Partial<ClipSpec>): ClipSpec;
}

/** Imports the scripted demo as the product does. The folder is the caller's to delete. */
export async function parseReel(): Promise<ParsedReel> {
  const folder = mkdtempSync(join(tmpdir(), "clutchcast-reel-"));
  const directory = join(folder, "parse");
  mkdirSync(directory);
  const parsed = await startParse({ path: reel, directory, maxBytes: 1024 ** 3 });
  if (parsed.isKnown) throw new Error("A demo that nobody knows is known.");
  const track = decodeReplayTrack(gunzipSync(readFileSync(parsed.trackPath)));
  return {
    folder,
    track,
    trackPath: parsed.trackPath,
    clipOf(type, changes = {}) {
      const highlight = parsed.highlights.find((candidate) => candidate.type === type);
      if (!highlight) throw new Error(`The reel has no ${type}.`);
      const settings = {
        xray: true,
        hud: true,
        radar: true,
        killfeed: true,
        highlight_info: true,
        watermark: true,
        pre_time_adjustment: 0,
        post_time_adjustment: -1,
      };
      const format = { title: "A test", width: 640, height: 360, fps: 60 };
      return { ...buildClipSpec(track.record, [highlight], settings, format), ...changes };
    },
  };
}
