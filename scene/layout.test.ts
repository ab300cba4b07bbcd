import { expect, test } from "vitest";
import type { MatchRecord } from "../replay/match-record.ts";
import { overlapArea } from "./box.ts";
import { type ClipScene, createClipScene } from "./clip-scene.ts";
import { layoutOf } from "./layout.ts";
import { buildRelief } from "./relief/build-relief.ts";
import {
  everySetting,
  freezeEndTick,
  killAt,
  sceneOptions,
  segmentOf,
  specOf,
  syntheticTrack,
  tickRate,
  walkedArea,
} from "./testing/synthetic-track.ts";

const ground = walkedArea(-600, -400, 600, 400);
const relief = buildRelief(ground, { map: "de_test", finestScale: 0.4, maxPixels: 400_000 });
const at = (second: number) => freezeEndTick + second * tickRate;
const formats = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
  { width: 1080, height: 1920 },
];
const cast = ["Nova the brave", "mate", "dune", "ember", "flint"].map((name, i) => ({
  name,
  team: (i < 2 ? 0 : 1) as 0 | 1,
  pose: { x: 200 * i - 400, y: 60 * i - 100 },
}));
/** A clutch with four kills: everything that can be shown is shown at some time. */
const clutch: Partial<MatchRecord> = {
  teams: [
    { name: "Harbour Five", score: 1, firstSide: "CT" },
    { name: "Granite Row", score: 0, firstSide: "T" },
  ],
  kills: [
    killAt(at(4), 2, 1, { attackerSide: "T", victimSide: "CT" }),
    ...[5, 5.5, 6].map((second, i) =>
      killAt(at(second), 0, 2 + i, { headshot: true, throughSmoke: true, penetrated: 1 }),
    ),
  ],
  deaths: [
    { tick: at(4), round: 1, player: 1, cause: "kill" },
    ...[5, 5.5, 6].map((second, i) => ({ tick: at(second), round: 1, player: 2 + i, cause: "kill" as const })),
  ],
  blinds: [{ tick: at(4.5), attacker: 2, victim: 0, seconds: 3 }],
};

function sceneIn(frame: { width: number; height: number }): ClipScene {
  const captions = [
    {
      startTick: at(1),
      endTick: at(12),
      label: "Triple Kill",
      reason: "3 kills in 1.0 s, all headshots, all through smoke",
      player: 0,
      momentTicks: [at(5), at(5.5), at(6)],
    },
  ];
  const track = syntheticTrack(cast, ground, clutch);
  const spec = { ...specOf([segmentOf(10, { captions })]), ...frame };
  return createClipScene(track, spec, { ...sceneOptions, ...frame, relief });
}

/** Boxes of a layer's sprites in a frame. */
function boxesOf(scene: ClipScene, index: number) {
  return scene.layers(index).layers.flatMap(({ name, operations }) =>
    operations.flatMap((operation) => {
      if (operation.op !== "sprite") return [];
      const { x, y, sprite } = operation;
      return [{ name, key: sprite.key, left: x, top: y, width: sprite.width, height: sprite.height }];
    }),
  );
}

const panelNames = [
  ...["radar", "killFeed", "strips", "scoreboard", "playerPanel"],
  ...["flashes", "title", "banner", "clutchScore", "watermark"],
];
const ownPlate =
  /^(radar-relief|kill-|strip-(?:CT|T)|scoreboard-\d|player-panel|flash-|watermark|intro|outcome|clutch|text\|700\|52|text\|[67]00\|30\|#(e6edf5|ff8c98)\|1)/;

test("no panel lies over another or over the frame's edge, in any format, at any time", () => {
  for (const frame of formats) {
    const scene = sceneIn(frame);
    const seen = new Set<string>();
    for (let index = 0; index < scene.frameCount; index += 6) {
      const plates = boxesOf(scene, index).filter(({ name, key }) => panelNames.includes(name) && ownPlate.test(key));
      for (const [i, plate] of plates.entries()) {
        seen.add(plate.name);
        expect(plate.left, plate.key).toBeGreaterThanOrEqual(0);
        expect(plate.top, plate.key).toBeGreaterThanOrEqual(0);
        expect(plate.top + plate.height, plate.key).toBeLessThanOrEqual(frame.height);
        if (plate.name !== "killFeed") expect(plate.left + plate.width, plate.key).toBeLessThanOrEqual(frame.width);
        for (const other of plates.slice(i + 1)) {
          if (other.name === plate.name) continue;
          expect(overlapArea(plate, other), `${plate.key} and ${other.key} at frame ${index}`).toBe(0);
        }
      }
    }
    expect([...seen].sort()).toEqual([...panelNames].sort());
  }
});

test("in a tall frame nothing stands where phone apps have their controls", () => {
  const layout = layoutOf(1080, 1920, everySetting);
  const controls = layout.controls.map(({ left, top, width, height }) => ({
    left: left * layout.unit,
    top: top * layout.unit,
    width: width * layout.unit,
    height: height * layout.unit,
  }));
  const scene = sceneIn({ width: 1080, height: 1920 });
  for (let index = 0; index < scene.frameCount; index += 12) {
    for (const box of boxesOf(scene, index).filter(({ name }) => panelNames.includes(name))) {
      expect(box.top + box.height, box.key).toBeLessThanOrEqual(0.86 * 1920);
      for (const control of controls) expect(overlapArea(box, control), box.key).toBe(0);
    }
  }
});

test("a layout's lengths scale with the frame, and panels that are off leave their room to others", () => {
  const [small, large] = [layoutOf(1280, 720, everySetting), layoutOf(1920, 1080, everySetting)];
  expect({ ...large, width: 1280, height: 720, unit: 1 }).toEqual(small);
  const bare = layoutOf(1280, 720, { ...everySetting, hud: false, radar: false });
  expect(bare.titles.top).toBeLessThan(small.titles.top);
  expect(bare.clutchScore.top).toBeLessThan(small.clutchScore.top);
  const bareTall = layoutOf(1080, 1920, { ...everySetting, hud: false, radar: false });
  expect(bareTall.banner.places[0].bottom).toBeGreaterThan(layoutOf(1080, 1920, everySetting).banner.places[0].bottom);
});
