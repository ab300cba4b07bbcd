import { writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { parseDemo } from "../../backend/demos/record/parse-demo.ts";
import { collectTrack } from "../../backend/demos/track/collect-track.ts";
import { detectHighlights } from "../../backend/highlights/index.ts";
import { highlightWindows } from "../../backend/highlights/segments.ts";
import { encodeReplayTrack } from "../../replay/encode-track.ts";

/**
 * The whole analysis as in the product's parse process: match record, highlights, replay track in a file.
 * @param maxThreads by default as in the product
 */
export async function analyse(demoPath: string, trackPath: string, maxThreads?: number): Promise<void> {
  const parsed = await parseDemo(demoPath);
  const highlights = detectHighlights(parsed.record);
  const track = await collectTrack(demoPath, parsed, highlightWindows(highlights, parsed.record), {
    scratchDirectory: dirname(trackPath),
    maxThreads,
  });
  await writeFile(trackPath, await promisify(gzip)(encodeReplayTrack(track)));
}
