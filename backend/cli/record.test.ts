import { expect, test } from "vitest";
import type { RecordedClip } from "../clips/in-game/recorded-takes.ts";
import { instructions } from "./record.ts";

const clip: RecordedClip = {
  name: "An ace",
  tickRate: 64,
  players: [{ name: "fox", steam_id: "76561199999900000", team: 0 }],
  spec: {
    version: 1,
    segments: [{ round: 1, startTick: 1000, endTick: 1200, player: 0, captions: [] }],
    settings: { xray: true, hud: true, radar: true, killfeed: true, highlightInfo: true, watermark: false },
    title: "An ace",
    width: 1280,
    height: 720,
    framesPerSecond: 60,
  },
};

test("what is printed for HLAE says where the recording goes, before it begins", () => {
  const demo = { shown: "in/match.dem", path: "/demos/in/match.dem", folder: null };
  const hlae = { shown: "out/match.xml", path: "/demos/out/match.xml" };
  expect(instructions(clip, demo, { csdm: undefined, hlae }).split("\n")).toEqual([
    "out/match.xml: put the demo into game/csgo as match.dem, start CS2 through HLAE, and in its console:",
    '  playdemo "match"',
    '  mirv_streams record name "/demos/out/match"',
    '  mirv_cmd load "/demos/out/match.xml"',
    "  demo_gototick 928",
    "",
  ]);
});
