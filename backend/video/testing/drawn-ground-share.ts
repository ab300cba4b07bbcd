import { buildClipRelief } from "../../../scene/clip-scene.ts";
import { offGroundShare } from "../../../scene/testing/off-ground.ts";
import { parseDemo } from "../../demos/record/parse-demo.ts";
import { type DemoFixture, unpackedFixture } from "../../demos/testing/demo-fixtures.ts";
import { collectTrack } from "../../demos/track/collect-track.ts";
import { detectHighlights } from "../../highlights/index.ts";
import { highlightWindows } from "../../highlights/segments.ts";

/**
 * @param folder gets the unpacked demo
 * @returns the share of time, 0 to 1, in which players in a demo's clips stand outside the drawn ground
 */
export async function shareOffDrawnGround(name: DemoFixture, folder: string): Promise<number> {
  const path = await unpackedFixture(name, folder);
  const parsed = await parseDemo(path);
  const windows = highlightWindows(detectHighlights(parsed.record), parsed.record);
  const track = await collectTrack(path, parsed, windows, { scratchDirectory: folder });
  const relief = buildClipRelief(track, { width: 1280, height: 720 });
  // Only what clips of highlights show; the rest of each round is sampled coarsely, and leaps over ledges.
  const finest = Math.min(...track.windows.map(({ tickStep }) => tickStep));
  const shown = track.windows.filter(({ tickStep }) => tickStep === finest);
  return offGroundShare({ ...track, windows: shown }, relief);
}
