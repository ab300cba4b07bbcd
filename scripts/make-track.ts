import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { gzipSync } from "node:zlib";
import { parseDemo } from "../backend/demos/record/parse-demo.ts";
import { collectTrack } from "../backend/demos/track/collect-track.ts";
import { detectHighlights } from "../backend/highlights/index.ts";
import { highlightWindows } from "../backend/highlights/segments.ts";
import { encodeReplayTrack } from "../replay/encode-track.ts";

/** Makes a replay track from an unpacked demo: `npx tsx scripts/make-track.ts match.dem match.track.gz`. */
async function makeTrack(demoPath: string, trackPath: string): Promise<void> {
  const parsed = await parseDemo(demoPath);
  const highlights = detectHighlights(parsed.record);
  const track = await collectTrack(demoPath, parsed, highlightWindows(highlights, parsed.record), {
    scratchDirectory: dirname(trackPath),
  });
  const bytes = encodeReplayTrack(track);
  const packed = trackPath.endsWith(".gz") ? gzipSync(bytes) : bytes;
  writeFileSync(trackPath, packed);
  console.log(
    `${trackPath}: ${highlights.length} highlights, ${track.windows.length} windows, ${bytes.length} bytes, ${packed.length} written`,
  );
}

const [demoPath, trackPath] = process.argv.slice(2);
if (!demoPath || !trackPath) {
  console.error("Usage: npx tsx scripts/make-track.ts <demo.dem> <track.gz>");
  process.exitCode = 1;
} else {
  await makeTrack(demoPath, trackPath);
}
