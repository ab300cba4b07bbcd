import { expect, test } from "vitest";
import type { ReplayTrack, TrackWindow } from "../../replay/replay-track.ts";
import { type ClipScene, createClipScene } from "../clip-scene.ts";
import type { DrawOperation } from "../display-list.ts";
import { buildRelief } from "../relief/build-relief.ts";
import {
  freezeEndTick,
  sceneOptions,
  segmentOf,
  specOf,
  syntheticTrack,
  tickRate,
  walkedArea,
} from "../testing/synthetic-track.ts";

const ground = walkedArea(-1000, -200, 1000, 200);
const relief = buildRelief(ground, { map: "de_test", finestScale: 0.4, maxPixels: 400_000 });
/** Runs east, 250 units a second. */
const runner = (tick: number) => ({ x: -900 + ((tick - freezeEndTick) / tickRate) * 250, y: 0 });

function sampledEvery(tickStep: number, track: ReplayTrack): ReplayTrack {
  const windows = track.windows.map((window): TrackWindow => {
    const sampleCount = Math.floor((window.endTick - window.startTick) / tickStep) + 1;
    const isKept = (_: number, i: number) => (i * window.tickStep) % tickStep === 0;
    const players = window.players.map((samples) => {
      if (!samples) return null;
      const { weaponNames, ...columns } = samples;
      const kept = Object.entries(columns).map(([name, values]) => [name, values.filter(isKept)]);
      return { weaponNames, ...Object.fromEntries(kept) } as typeof samples;
    });
    return { ...window, tickStep, sampleCount, endTick: window.startTick + (sampleCount - 1) * tickStep, players };
  });
  return { ...track, windows };
}

type Line = Extract<DrawOperation, { op: "line" }>;

function linesOf(scene: ClipScene, frame: number, layer: "trails" | "projectiles"): Line[] {
  const operations = scene.layers(frame).layers.find(({ name }) => name === layer)?.operations ?? [];
  return operations.filter((operation) => operation.op === "line");
}

const lengthOf = (lines: readonly Line[]) =>
  lines.reduce((sum, { x0, y0, x1, y1 }) => sum + Math.hypot(x1 - x0, y1 - y0), 0);

test("a trail shows the last second and a half, however often a track has samples", () => {
  const track = syntheticTrack([{ name: "Nova", team: 0, pose: runner }], ground);
  const scenes = [2, 8, 16].map((tickStep) =>
    createClipScene(
      sampledEvery(tickStep, track),
      specOf([segmentOf(3, { startTick: freezeEndTick + 2 * tickRate, isEven: true })]),
      {
        ...sceneOptions,
        relief,
      },
    ),
  );
  const [dense, ...sparse] = scenes;
  for (let frame = 0; frame < 180; frame += 1) {
    const wanted = lengthOf(linesOf(dense!, frame, "trails"));
    expect(wanted, `frame ${frame}`).toBeGreaterThan(100);
    for (const scene of sparse) {
      const shown = lengthOf(linesOf(scene, frame, "trails"));
      expect(shown / wanted, `frame ${frame}`).toBeGreaterThan(0.8);
      expect(shown / wanted, `frame ${frame}`).toBeLessThan(1.2);
    }
  }
});

test("who comes up elsewhere leaves no trail from where they were", () => {
  const teleported = freezeEndTick + 3 * tickRate;
  const pose = (tick: number) => (tick < teleported ? { x: -900, y: 0 } : { x: 900, y: 0 });
  const track = syntheticTrack([{ name: "Nova", team: 0, pose }], ground);
  for (const tickStep of [2, 8, 16]) {
    const spec = specOf([segmentOf(4, { startTick: teleported - tickRate, isEven: true })]);
    const scene = createClipScene(sampledEvery(tickStep, track), spec, { ...sceneOptions, relief });
    for (let frame = 0; frame < 240; frame += 1) expect(lengthOf(linesOf(scene, frame, "trails"))).toBeLessThan(5);
  }
});

test("a grenade's arc is as long on a server of 128 ticks a second as on one of 64", () => {
  const arcAt = (rate: number) => {
    const throwTick = freezeEndTick + 1.5 * rate;
    const path = [0, 1, 2].map((seconds): [number, number, number, number] => [
      throwTick + seconds * rate,
      -400 + 400 * seconds,
      0,
      40,
    ]);
    const grenade = { kind: "he" as const, thrower: 0, throwTick, detonateTick: throwTick + 2 * rate, path };
    const track = syntheticTrack([{ name: "Nova", team: 0, pose: { x: -400, y: 0 } }], ground, {
      tickRate: rate,
      grenades: [{ ...grenade, expireTick: grenade.detonateTick }],
    });
    const startTick = freezeEndTick + rate;
    const segment = segmentOf(3, { startTick, isEven: true });
    const spec = specOf([{ ...segment, endTick: startTick + 3 * rate }]);
    const scene = createClipScene(track, spec, { ...sceneOptions, relief });
    return lengthOf(linesOf(scene, 90, "projectiles"));
  };
  expect(arcAt(64)).toBeGreaterThan(50);
  expect(arcAt(128)).toBeCloseTo(arcAt(64), 0);
});
