import { expect, test } from "vitest";
import { buildClipRelief } from "../../scene/clip-scene.ts";
import { offGroundShare } from "../../scene/testing/off-ground.ts";
import { parseDemo } from "../demos/record/parse-demo.ts";
import { type DemoFixture, temporaryFolder, unpackedFixture } from "../demos/testing/demo-fixtures.ts";
import { collectTrack } from "../demos/track/collect-track.ts";
import { detectHighlights } from "../highlights/index.ts";
import { highlightWindows } from "../highlights/segments.ts";

const folder = temporaryFolder();

test.each<DemoFixture>(["match-de_nuke", "match-de_mirage", "match-de_dust2-overtime", "sample-match"])(
  "players of %s stand on the ground that is drawn, but for 2 % of the time",
  async (name) => {
    const path = await unpackedFixture(name, folder);
    const parsed = await parseDemo(path);
    const windows = highlightWindows(detectHighlights(parsed.record), parsed.record);
    const track = await collectTrack(path, parsed, windows, { scratchDirectory: folder });
    expect(offGroundShare(track, buildClipRelief(track, { width: 1280, height: 720 }))).toBeLessThanOrEqual(0.02);
  },
);
