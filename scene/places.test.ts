import { expect, test } from "vitest";
import type { Footprints } from "../replay/replay-track.ts";
import { createClipScene } from "./clip-scene.ts";
import type { DisplayList } from "./display-list.ts";
import { headlinedMoments } from "./moment-headlines.ts";
import { placeName } from "./place-names.ts";
import { callouts, placeAt } from "./places.ts";
import { SegmentTimeline } from "./segment-timeline.ts";
import {
  freezeEndTick,
  killAt,
  sceneOptions,
  segmentOf,
  specOf,
  syntheticTrack,
  walkedArea,
} from "./testing/synthetic-track.ts";

/** Apartments in the west, the palace in the east, something unnamed between. */
function named(footprints: Footprints): Footprints {
  const ofFootprint = Uint8Array.from({ length: footprints.xyz.length / 3 }, (_, i) => {
    const x = footprints.xyz[i * 3]!;
    return x < -200 ? 0 : x > 200 ? 1 : 255;
  });
  return { ...footprints, places: { names: ["Apartments", "PalaceInterior"], ofFootprint } };
}
const footprints = named(walkedArea(-900, -500, 900, 500));

test.each([
  ["BombsiteA", "A Site"],
  ["TopofMid", "Top of Mid"],
  ["BackofA", "Back of A"],
  ["CTSpawn", "CT Spawn"],
  ["TRamp", "T Ramp"],
  ["LongDoors", "Long Doors"],
  ["Tunnel1", "Tunnel 1"],
  ["HutRoof", "Hut Roof"],
  ["Banana", "Banana"],
  ["PalaceInterior", "Palace"],
  ["my_odd-place2", "My odd place 2"],
  ["constructor", "Constructor"],
  ["\u202eevil\u0000", "Evil"],
  ["", ""],
])("the place %j is called %j", (name, called) => {
  expect(placeName(name)).toBe(called);
});

test("a place is the nearest footprint's, none where nobody was or the map has no name", () => {
  expect(placeAt(footprints, { x: -600, y: 3, z: 10 })).toBe("Apartments");
  expect(placeAt(footprints, { x: 600, y: 3, z: 0 })).toBe("Palace");
  expect(placeAt(footprints, { x: 0, y: 0, z: 0 })).toBeNull();
  expect(placeAt(footprints, { x: -600, y: 0, z: 400 })).toBeNull();
  expect(placeAt({ xyz: footprints.xyz, breaks: footprints.breaks }, { x: -600, y: 0, z: 0 })).toBeNull();
});

test("a part of the map is named in its middle", () => {
  for (const { name, x, y } of callouts(footprints)) {
    expect(Math.abs(x - (name === "Palace" ? 550 : -550))).toBeLessThan(20);
    expect(Math.abs(y)).toBeLessThan(20);
  }
  expect(callouts(footprints)).toHaveLength(2);
});

const kill = killAt(freezeEndTick + 160, 0, 1, { attackerPosition: [-600, 0, 0], victimPosition: [600, 0, 0] });
const duel = (heroX: number) =>
  syntheticTrack(
    [
      { name: "Nova", team: 0, pose: { x: heroX, y: 300, yaw: 0 } },
      { name: "dune", team: 1, pose: { x: 500, y: 400, yaw: 180 } },
    ],
    footprints,
    { kills: [kill] },
  );

test("a kill's caption tells from where to where it went", () => {
  const moments = headlinedMoments(new SegmentTimeline(duel(-500), segmentOf(4)));
  expect(moments[0]?.words.at(-1)).toBe("Apartments to Palace");
});

function nameOnGround(list: DisplayList, name: string) {
  return list.find((operation) => operation.op === "sprite" && operation.sprite.key.includes(`|${name}`));
}

test("names lie on the ground, large enough for a phone, and go where a player stands", () => {
  const settings = { hud: false, radar: false, killfeed: false, highlightInfo: false };
  const frameOf = (heroX: number, heroY: number) => {
    const track = syntheticTrack([{ name: "Nova", team: 0, pose: { x: heroX, y: heroY } }], footprints);
    return createClipScene(track, specOf([segmentOf(1.8)], settings), sceneOptions).frame(60);
  };
  const free = nameOnGround(frameOf(-550, 330), "APARTMENTS");
  if (free?.op !== "sprite") throw new Error("The name is not drawn.");
  expect(free.alpha).toBeGreaterThan(0.2);
  expect(free.sprite.key).toContain("|30|");
  expect(nameOnGround(frameOf(-550, 0), "APARTMENTS")).toBeUndefined();
});
