import { createCanvas } from "@napi-rs/canvas";
import { expect, test } from "vitest";
import { mapDisplayName } from "../contract/maps.ts";
import { hostileName, hostileNameCleaned, unseenMark } from "../contract/testing/hostile-name.ts";
import type { ClipRenderSettings } from "../replay/clip-spec.ts";
import { createCanvasPainterCache, type PainterContext, paintDisplayList } from "./canvas-painter.ts";
import { type ClipScene, createClipScene } from "./clip-scene.ts";
import { endCardSeconds } from "./clip-time.ts";
import type { DisplayList } from "./display-list.ts";
import { buildRelief } from "./relief/build-relief.ts";
import {
  canvasKit,
  freezeEndTick,
  killAt,
  sceneOptions,
  segmentOf,
  specOf,
  syntheticTrack,
  tickRate,
  walkedArea,
} from "./testing/synthetic-track.ts";

/** Two rooms with a wall of 240 units between them, joined in the far north. */
const twoRooms = walkedArea(-900, -500, 900, 500, (x, y) => (Math.abs(x) < 120 && y < 400 ? null : 0));
const relief = buildRelief(twoRooms, { map: "de_test", finestScale: 0.4, maxPixels: 1_000_000 });
const options = { ...sceneOptions, relief };

function spriteKeys(list: DisplayList): string[] {
  return list.flatMap((operation) => ("sprite" in operation ? [operation.sprite.key] : []));
}

function hasSprite(list: DisplayList, beginning: string): boolean {
  return spriteKeys(list).some((key) => key.startsWith(beginning));
}

/** A display list as text, pictures by their keys. */
function written(list: DisplayList): string {
  return JSON.stringify(list, (key, value) => (key === "image" || key === "sprite" ? value.key : value));
}

const fight = syntheticTrack(
  [
    { name: "Nova", team: 0, pose: (tick) => ({ x: -600 + (tick - freezeEndTick) * 0.4, y: 0, yaw: 0 }) },
    { name: "<b>bold</b>", team: 0, pose: { x: -700, y: 250, yaw: 90 } },
    { name: "莫言", team: 1, pose: { x: -180, y: 40, yaw: 180 } },
    { name: "dune", team: 1, pose: { x: 200, y: -200, yaw: 180 } },
  ],
  twoRooms,
  {
    kills: [killAt(freezeEndTick + 64 + 96, 0, 2)],
    deaths: [{ tick: freezeEndTick + 64 + 96, round: 1, player: 2, cause: "kill" }],
    shots: [{ tick: freezeEndTick + 64 + 96, player: 0, weapon: "ak47", yaw: 3 }],
    grenades: [
      {
        kind: "smoke",
        thrower: 0,
        throwTick: freezeEndTick,
        detonateTick: freezeEndTick + 100,
        expireTick: freezeEndTick + 1200,
        path: [
          [freezeEndTick, -600, 0, 60],
          [freezeEndTick + 100, -300, -350, 0],
        ],
      },
    ],
  },
);

function sceneWith(settings: Partial<ClipRenderSettings>): ClipScene {
  return createClipScene(fight, specOf([segmentOf(4)], settings), options);
}

test("the same frame is the same display list, whatever was drawn in between", () => {
  const scene = sceneWith({});
  const first = written(scene.frame(100));
  scene.frame(3);
  scene.frame(scene.frameCount - 1);
  expect(written(scene.frame(100))).toBe(first);
  expect(written(sceneWith({}).frame(100))).toBe(first);
});

test("a frame by layers is the frame", () => {
  for (const settings of [{}, { radar: false, hud: false, xray: false }]) {
    const scene = sceneWith(settings);
    for (const index of [0, 57, 110, scene.frameCount - 1]) {
      const { layers, players } = scene.layers(index);
      if (index === scene.frameCount - 1) expect(players).toEqual([]);
      else expect(players.map(({ player }) => player)).toEqual([0, 1, 2, 3]);
      expect(written(layers.flatMap(({ operations }) => operations))).toBe(written(scene.frame(index)));
      expect(new Set(layers.map(({ name }) => name)).size).toBe(layers.length);
    }
  }
  expect(() => sceneWith({}).layers(-1)).toThrow(RangeError);
});

test("every frame begins with a rectangle of the map of the frame's shape", () => {
  const scene = sceneWith({});
  for (let i = 0; i < scene.frameCount; i += 7) {
    const map = scene.frame(i)[0]!;
    if (map.op !== "map") throw new Error(`Frame ${i} begins with ${map.op}.`);
    expect(scene.mapImages).toContain(map.image);
    expect(map.sx + map.sw).toBeGreaterThan(0);
    expect(map.sx).toBeLessThan(map.image.width);
    expect(map.sw / map.sh).toBeCloseTo(1280 / 720, 6);
  }
});

test("no operation holds a number that is not one", () => {
  const scene = sceneWith({ xray: false });
  for (let i = 0; i < scene.frameCount; i += 5) {
    for (const operation of scene.frame(i)) {
      for (const value of Object.values(operation))
        if (typeof value === "number") expect(value).toSatisfy(Number.isFinite);
    }
  }
});

test("each setting removes its layer and nothing else", () => {
  const whole = spriteKeys(sceneWith({}).frame(110));
  const layers: [Partial<ClipRenderSettings>, RegExp][] = [
    [{ radar: false }, /^radar|^text\|700\|30\|#ffd9a0/],
    [{ killfeed: false }, /^kill-/],
    [{ watermark: false }, /^watermark/],
    [
      { hud: false },
      /^(scoreboard|strip-|equipment-|player-panel|avatar-0-38|avatar-\d-28|icon-|weapon-|text\|700\|(30|32|34|36)\|#\w+\|0\|)/,
    ],
    [{ highlightInfo: false }, /^(intro|clutch|avatar-2-38|text\|700\|52\||text\|[67]00\|30\|#(e6edf5|ff8c98)\|1)/],
  ];
  for (const [setting, own] of layers) {
    const rest = spriteKeys(sceneWith(setting).frame(110));
    const missing = whole.filter((key) => !rest.includes(key));
    expect(missing.length, JSON.stringify(setting)).toBeGreaterThan(0);
    for (const key of missing) expect(key, JSON.stringify(setting)).toMatch(own);
    expect(rest.filter((key) => !whole.includes(key))).toEqual([]);
  }
});

test("no mark that nobody sees, and no half character, is drawn, whoever wrote it", () => {
  const { record } = fight;
  const hostile = {
    ...fight,
    record: {
      ...record,
      map: `de_${hostileName}`,
      teams: record.teams.map((team) => ({ ...team, name: hostileName })) as typeof record.teams,
      players: record.players.map((player) => ({ ...player, name: hostileName })),
      shots: record.shots.map((shot) => ({ ...shot, weapon: hostileName })),
      kills: record.kills.map((kill) => ({ ...kill, weapon: hostileName })),
    },
    windows: fight.windows.map((window) => ({
      ...window,
      players: window.players.map((samples) => samples && { ...samples, weaponNames: [hostileName] }),
    })),
  };
  const [segment] = [segmentOf(4)];
  const captions = segment.captions.map((caption) => ({ ...caption, label: hostileName, reason: hostileName }));
  const measured = new Set<string>();
  const scene = createClipScene(hostile, specOf([{ ...segment, captions }]), {
    ...options,
    measureText(text, font) {
      measured.add(text);
      return options.measureText(text, font);
    },
  });
  for (let frame = 0; frame < scene.frameCount; frame += 10) scene.frame(frame);
  expect([...measured].join("\n").replaceAll("\n", "")).not.toMatch(unseenMark);
  // The emoji is left out: there are no pictures in this test.
  expect(measured).toContain(hostileNameCleaned.replace("👩🏽\u200d🚀", ""));
});

test("a map is called in the video as it is on the pages", () => {
  const drawn = (map: string) => {
    const track = { ...fight, record: { ...fight.record, map } };
    const keys = spriteKeys(createClipScene(track, specOf([segmentOf(1)]), options).frame(30));
    const [, lines = ""] = /^intro-(.*)@/.exec(keys.find((key) => key.startsWith("intro-")) ?? "") ?? [];
    // Below the highlight's name and the player's; a long one has a second line for the round.
    const place = (JSON.parse(lines) as string[][]).slice(2).flat().join(" ");
    return place.split("  ·  ")[0];
  };
  for (const map of ["de_dust2", "rush_001", "cs_insertion2", "de_eldorado", "ar_shoots", "de_ancient_night"]) {
    expect(drawn(map)).toBe(mapDisplayName(map));
  }
  expect(drawn("workshop/12/aim_my_place")).toBe("My Place");
  expect(drawn("de_an_arena_with_a_name_without_end")).toBe("An Arena With A Name Wit");
});

test("without x-ray an opponent behind a wall is not drawn, one in sight is", () => {
  const withXray = sceneWith({}).frame(60);
  const without = sceneWith({ xray: false }).frame(60);
  const tokens = (list: DisplayList) => spriteKeys(list).filter((key) => key.startsWith("token-T")).length;
  expect(tokens(withXray)).toBe(2);
  expect(tokens(without)).toBe(1);
  expect(hasSprite(without, "text|700|30|#ffdfa6|1|190|莫言")).toBe(true);
});

test("without x-ray a player who looks away sees nobody", () => {
  const track = syntheticTrack(
    [
      {
        name: "Nova",
        team: 0,
        pose: (tick) => ({ x: -600, y: 0, yaw: tick < freezeEndTick + 3 * tickRate ? 180 : 0 }),
      },
      { name: "dune", team: 1, pose: { x: -200, y: 0, yaw: 180 } },
    ],
    twoRooms,
  );
  const segment = segmentOf(6);
  const scene = createClipScene(track, specOf([segment], { xray: false }), options);
  const seesAt = (second: number) =>
    hasSprite(scene.frame(scene.frameAt(segment, freezeEndTick + second * tickRate)!), "token-T");
  expect(seesAt(2)).toBe(false);
  expect(seesAt(4.3)).toBe(true);
});

test("without x-ray nobody sees through smoke", () => {
  const smoke = {
    kind: "smoke" as const,
    thrower: null,
    throwTick: freezeEndTick,
    detonateTick: freezeEndTick + 32,
    expireTick: freezeEndTick + 20 * tickRate,
    path: [[freezeEndTick, -400, 0, 0]] as [number, number, number, number][],
  };
  const players = [
    { name: "Nova", team: 0 as const, pose: { x: -700, y: 0, yaw: 0 } },
    { name: "dune", team: 1 as const, pose: { x: -180, y: 0, yaw: 180 } },
  ];
  const shown = (grenades: (typeof smoke)[]) => {
    const track = syntheticTrack(players, twoRooms, { grenades });
    const segment = segmentOf(3);
    const scene = createClipScene(track, specOf([segment], { xray: false }), options);
    return hasSprite(scene.frame(scene.frameAt(segment, segment.startTick + 2.5 * tickRate)!), "token-T");
  };
  expect(shown([])).toBe(true);
  expect(shown([smoke])).toBe(false);
});

test("a clip has as many frames as its segments last, each rounded, and knows what each frame shows", () => {
  const after = freezeEndTick + 600;
  const segments = [1.503, 1.8, 0.255].map((seconds, i) => segmentOf(seconds, { startTick: after + 200 * i }));
  const scene = createClipScene(fight, specOf(segments), options);
  const played = Math.round(1.503 * 60) + 108 + Math.round(0.255 * 60);
  expect(scene.frameCount).toBe(played + Math.round(endCardSeconds * 60));
  expect(scene.moment(0)).toEqual({ segment: segments[0], tick: segments[0]!.startTick, isEndCard: false });
  expect(scene.moment(90)).toEqual({ segment: segments[1], tick: segments[1]!.startTick, isEndCard: false });
  expect(scene.frameAt(segments[1]!, segments[1]!.startTick)).toBe(90);
  expect(scene.frameAt(segments[1]!, segments[1]!.startTick + tickRate)).toBe(150);
  expect(scene.frameAt(segments[1]!, segments[1]!.endTick)).toBeNull();
  expect(scene.moment(scene.frameCount - 1).segment).toBe(segments[2]);
  expect(() => scene.frame(scene.frameCount)).toThrow(RangeError);
  expect(() => scene.frame(-1)).toThrow(RangeError);
});

test("while a clip runs faster than the match did, how many times as fast stands in it", () => {
  const scene = createClipScene(fight, specOf([segmentOf(12)]), options);
  const chips = new Map<string, number>();
  for (let frame = 0; frame + 1 < scene.frameCount && !scene.moment(frame + 1).isEndCard; frame++) {
    const speed = ((scene.moment(frame + 1).tick - scene.moment(frame).tick) * 60) / tickRate;
    const chip = spriteKeys(scene.frame(frame)).find((key) => key.includes("speed-"));
    if (speed < 1.3) expect(chip, `frame ${frame}`).toBeUndefined();
    if (chip) chips.set(chip, Math.max(chips.get(chip) ?? 0, speed));
  }
  expect(chips.size).toBe(1);
  for (const [chip, speed] of chips) expect(chip).toContain(`speed-${Math.round(speed)}×`);
  expect(Math.max(...chips.values())).toBeGreaterThan(1.9);
});

test("the shapes of both sides differ, not only their colours", () => {
  const scene = sceneWith({});
  const painted = (key: string) => {
    const sprite = scene.sprites().find((s) => s.key.startsWith(key))!;
    const canvas = createCanvas(sprite.width, sprite.height);
    const context = canvas.getContext("2d");
    sprite.paint(context as unknown as PainterContext, canvasKit);
    const { data } = context.getImageData(0, 0, sprite.width, sprite.height);
    return Array.from({ length: data.length / 4 }, (_, i) => data[i * 4]! + data[i * 4 + 1]! + data[i * 4 + 2]! > 330);
  };
  const round = painted("token-CT");
  const diamond = painted("token-T");
  const different = round.filter((isBright, i) => isBright !== diamond[i]).length;
  expect(different).toBeGreaterThan(20);
});

test("the canvas painter draws a frame: map, token and panel are there", () => {
  const scene = sceneWith({});
  const canvas = createCanvas(1280, 720);
  const context = canvas.getContext("2d");
  const cache = createCanvasPainterCache(createCanvas as never, canvasKit);
  const list = scene.frame(110);
  paintDisplayList(context as unknown as PainterContext, list, cache);
  const { data } = context.getImageData(0, 0, 1280, 720);
  const colours = new Set<number>();
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] !== 255) throw new Error("A pixel of the frame is translucent.");
    colours.add((data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!);
  }
  expect(colours.size).toBeGreaterThan(500);
  const ring = list.find((operation) => operation.op === "ring" && operation.colour === "#6fe07a");
  if (ring?.op !== "ring") throw new Error("No health ring.");
  const at = (Math.round(ring.y - ring.radius) * 1280 + Math.round(ring.x)) * 4;
  expect(data[at + 1]! - data[at]!).toBeGreaterThan(40);
});

test("a track without footprints still has ground to stand on", () => {
  const track = { ...fight, footprints: { xyz: new Int16Array(0), breaks: new Uint32Array(0) } };
  const scene = createClipScene(track, specOf([segmentOf(0.2)]), sceneOptions);
  expect(hasSprite(scene.frame(5), "token-CT")).toBe(true);
});

test("pictures of different matches have different keys, so that painters may keep them", () => {
  const other = syntheticTrack([{ name: "Nova", team: 0, pose: { x: 0, y: 0 } }], walkedArea(-300, -300, 300, 300));
  const keys = (track: typeof fight) => {
    const scene = createClipScene(track, specOf([segmentOf(0.5)]), sceneOptions);
    const radar = scene.sprites().find((sprite) => sprite.key.startsWith("radar-relief"));
    return [scene.mapImages[0]!.key, radar!.key];
  };
  const [first, second] = [keys(fight), keys(other)];
  expect(first[0]).not.toBe(second[0]);
  expect(first[1]).not.toBe(second[1]);
});

test("nasty names are drawn as harmless text", () => {
  const nasty = ["\u202Eevil\u0000", "<img src=x onerror=alert(1)>", "\u200B\u2066", "W".repeat(60)];
  const track = syntheticTrack(
    nasty.map((name, i) => ({ name, team: (i % 2) as 0 | 1, pose: { x: -800 + i * 160, y: 300 - i * 200 } })),
    twoRooms,
    { kills: [1, 2, 3].map((victim) => killAt(freezeEndTick + 90, 0, victim)) },
  );
  const scene = createClipScene(track, specOf([segmentOf(0.5)]), options);
  const texts = spriteKeys(scene.frame(20)).filter((key) => key.startsWith("text|"));
  for (const text of ["evil", "<img src=x onerror=alert(1)>", "Player 3"]) {
    expect(
      texts.some((key) => key.includes(`|${text}@`)),
      text,
    ).toBe(true);
  }
  expect(texts.join("")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  const widest = Math.max(
    ...scene
      .sprites()
      .filter((sprite) => /^text\|700\|3[02]\|#\w+\|1\|190/.test(sprite.key))
      .map((sprite) => sprite.width),
  );
  expect(widest).toBeGreaterThan(100);
  expect(widest).toBeLessThanOrEqual(197);
});
