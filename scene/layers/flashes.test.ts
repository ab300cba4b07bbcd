import { expect, test } from "vitest";
import type { ClipRenderSettings } from "../../replay/clip-spec.ts";
import type { RecordedBlind } from "../../replay/match-record.ts";
import { createClipScene } from "../clip-scene.ts";
import { buildRelief } from "../relief/build-relief.ts";
import type { LayerName } from "../stage.ts";
import { sceneOptions, segmentOf, specOf, syntheticTrack, tickRate, walkedArea } from "../testing/synthetic-track.ts";

const ground = walkedArea(-300, -300, 300, 300);
const relief = buildRelief(ground, { map: "de_test", finestScale: 0.2, maxPixels: 100_000 });
const cast = ["Nova", "mate", "dune", "ember"].map((name, i) => ({
  name,
  team: (i < 2 ? 0 : 1) as 0 | 1,
  pose: { x: 40 * i, y: 0 },
}));
const segment = segmentOf(8);
const blindAt = (second: number, attacker: number | null, victim: number, seconds = 3): RecordedBlind => ({
  tick: segment.startTick + second * tickRate,
  attacker,
  victim,
  seconds,
});
/** Shots keep the clip at the speed of play. */
const shots = Array.from({ length: 8 }, (_, i) => ({
  tick: segment.startTick + (i + 0.5) * tickRate,
  player: 0,
  weapon: "ak47",
  yaw: 0,
}));

function sceneWith(blinds: RecordedBlind[], settings: Partial<ClipRenderSettings> = {}) {
  const scene = createClipScene(
    syntheticTrack(cast, ground, { blinds, shots }),
    specOf([segment], { highlightInfo: false, ...settings }),
    { ...sceneOptions, relief },
  );
  const operations = (second: number, name: LayerName) =>
    scene.layers(Math.round(second * 60)).layers.find((layer) => layer.name === name)?.operations ?? [];
  return {
    veilAt(second: number): number {
      const [veil] = operations(second, "veil");
      return veil?.op === "rect" ? veil.alpha : 0;
    },
    noteAt(second: number): string | null {
      const [note] = operations(second, "flashes");
      return note?.op === "sprite" ? note.sprite.key : null;
    },
    paintOrder: scene.layers(0).layers.map(({ name }) => name),
  };
}

test("while the followed player is blind a veil lies over the ground, and fades as the blindness does", () => {
  const { veilAt } = sceneWith([blindAt(2, 2, 0)]);
  expect(veilAt(1.9)).toBe(0);
  expect(veilAt(2.5)).toBeCloseTo(0.4, 2);
  expect(veilAt(4)).toBeLessThan(0.3);
  expect(veilAt(4.8)).toBeLessThan(0.06);
  expect(veilAt(5.1)).toBe(0);
});

test("the veil is no flash: it never changes by a tenth of the light within a tenth of a second, two grenades neither", () => {
  const { veilAt } = sceneWith([blindAt(2, 2, 0), blindAt(2.4, 2, 0), blindAt(3, 3, 0, 1)]);
  for (let second = 1.5; second < 6; second += 0.05)
    expect(Math.abs(veilAt(second + 0.05) - veilAt(second))).toBeLessThanOrEqual(0.1);
});

test("the veil lies below all who fight and fall, and a glimpse makes none, nor what blinds others", () => {
  const { veilAt, paintOrder } = sceneWith([blindAt(2, 2, 0, 0.5), blindAt(2, 0, 2)]);
  for (const above of ["deaths", "shots", "players", "names", "playerPanel"] as const)
    expect(paintOrder.indexOf(above)).toBeGreaterThan(paintOrder.indexOf("veil"));
  expect(veilAt(2.3)).toBe(0);
});

test("it is told who blinded the followed player, and whom they blinded", () => {
  const { noteAt } = sceneWith([blindAt(1, 2, 0), blindAt(4, 0, 2), blindAt(4, 0, 3), blindAt(4, 0, 1)]);
  expect(noteAt(0.9)).toBeNull();
  expect(noteAt(1.5)).toContain('["FLASHED BY","dune"');
  expect(noteAt(3.6)).toBeNull();
  expect(noteAt(4.5)).toContain('["FLASHED","2 P');
  expect(sceneWith([blindAt(4, 0, 2)]).noteAt(4.5)).toContain('["FLASHED","dune"');
  expect(sceneWith([blindAt(4, 0, 0)]).noteAt(4.5)).toContain('["FLASHED",null');
});

test("without x-ray nobody is told whom a flash has blinded", () => {
  const { noteAt } = sceneWith([blindAt(1, 2, 0), blindAt(4, 0, 2)], { xray: false });
  expect(noteAt(1.5)).toContain("dune");
  expect(noteAt(4.5)).toBeNull();
});
