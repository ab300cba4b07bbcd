import { expect, test } from "vitest";
import { renderSettingsSchema } from "../../../contract/schemas/clips.ts";
import { detectHighlights } from "../../highlights/index.ts";
import { MatchBuilder } from "../../highlights/testing/round-builder.ts";
import { buildClipSpec } from "./build-clip-spec.ts";

const record = new MatchBuilder()
  .round({ winner: "a" }, (round) => round.kill(20, "a1", "b1", { weapon: "knife" }))
  .build();
const format = { title: "a1 - Dust II Round 1 - Knife Kill", width: 1280, height: 720, fps: 60 };

test("a clip spec has the segments, the settings by their own names and the format", () => {
  const settings = renderSettingsSchema.parse({
    xray: false,
    radar: false,
    pre_time_adjustment: 2,
    post_time_adjustment: -1.5,
  });
  const spec = buildClipSpec(record, detectHighlights(record), settings, format);
  expect(spec).toMatchObject({
    version: 1,
    settings: { xray: false, hud: true, radar: false, killfeed: true, highlightInfo: true, watermark: false },
    title: format.title,
    width: 1280,
    height: 720,
    framesPerSecond: 60,
  });
  expect(spec.segments.map(({ startTick, endTick }) => (endTick - startTick) / 64)).toEqual([4.5]);
  expect(spec.segments[0]?.captions).toMatchObject([{ label: "Knife Kill", player: 0, momentTicks: [1000 + 24 * 64] }]);
});

test("a clip spec survives being stored as JSON", () => {
  const spec = buildClipSpec(record, detectHighlights(record), renderSettingsSchema.parse({}), format);
  expect(JSON.parse(JSON.stringify(spec))).toEqual(spec);
});

test("a clip of nothing is an error", () => {
  expect(() => buildClipSpec(record, [], renderSettingsSchema.parse({}), format)).toThrow("A clip needs a highlight.");
});
