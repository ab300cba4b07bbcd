import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { encodeMapFootprints } from "../../replay/map-footprints.ts";
import { buildRelief, type Relief } from "../../scene/index.ts";
import { joined, segmentOf, specOf, syntheticTrack, walkedArea } from "../../scene/testing/synthetic-track.ts";
import { drawnReliefFile, prepareGround } from "./clip-ground.ts";
import { keepRelief, keptRelief, mapReliefName, matchReliefName } from "./kept-reliefs.ts";
import { decodeRelief, encodeRelief, ReliefFileError } from "./relief-file.ts";
import { prepareClip } from "./render-clip.ts";

const folder = mkdtempSync(join(tmpdir(), "clutchcast-relief-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hall = walkedArea(-600, -400, 600, 400);
const catwalk = walkedArea(-160, -50, 160, 50, () => 130);
const cellar = walkedArea(-400, -300, 400, 300, () => -300);
const options = { map: "de_test", finestScale: 0.2, maxPixels: 200_000 };

/** A relief's contents as bytes: `toEqual` takes minutes for millions of numbers. */
function bytesOf({ projection, floorHeight, floors }: Relief): Buffer {
  return Buffer.concat([
    Buffer.from(JSON.stringify([projection, floorHeight])),
    ...floors.flatMap(({ grid, image }) => {
      const { edgeDistance, height, deck, ...frame } = grid;
      const { rgba, ...size } = image;
      const fields = [edgeDistance, height, ...(deck ? [deck.edgeDistance, deck.height] : []), rgba];
      const texts = [JSON.stringify([frame, size, deck !== null])].map((text) => Buffer.from(text));
      return [
        ...texts,
        ...fields.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
      ];
    }),
  ]);
}

const isSame = (one: Relief, other: Relief) => bytesOf(one).equals(bytesOf(other));

test("a kept relief is the drawn one bit by bit, with decks and floors", async () => {
  for (const footprints of [joined(hall, catwalk), joined(walkedArea(-800, -800, 800, 800), cellar)]) {
    const relief = buildRelief(footprints, options);
    expect(isSame(await decodeRelief(await encodeRelief(relief)), relief)).toBe(true);
  }
});

test("reliefs that are written at the same time are whole, whatever becomes of the canvases meanwhile", async () => {
  const relief = buildRelief(hall, options);
  const alone = await encodeRelief(relief);
  const together = await Promise.all(Array.from({ length: 100 }, () => encodeRelief(relief)));
  expect(together.filter((bytes) => !bytes.equals(alone))).toEqual([]);
});

test("a damaged, cut or foreign relief is refused", async () => {
  const whole = await encodeRelief(buildRelief(hall, options));
  const damaged = [0, 10, 60, whole.length >> 1, whole.length - 1].map((at) => {
    const copy = Buffer.from(whole);
    copy[at]! ^= 1;
    return copy;
  });
  for (const bytes of [...damaged, whole.subarray(0, whole.length - 5), Buffer.alloc(0), Buffer.from("CCRF")]) {
    await expect(decodeRelief(bytes)).rejects.toThrow(ReliefFileError);
  }
});

const cast = [
  { name: "hero", team: 0 as const, pose: { x: 0, y: 0 } },
  { name: "other", team: 1 as const, pose: { x: 200, y: 0 } },
];

test("a clip has the same frames whether its relief is drawn or was kept, on its own walks and on those of its map", async () => {
  const track = syntheticTrack(cast, hall);
  const spec = { ...specOf([segmentOf(0.5)]), width: 640, height: 360 };
  const mapFootprintsPath = join(folder, "footprints.bin.gz");
  const map = { rawMap: "de_test", matches: 2, footprints: joined(hall, catwalk) };
  writeFileSync(mapFootprintsPath, gzipSync(encodeMapFootprints(map)));
  for (const ofMap of [{}, { mapFootprintsPath }]) {
    const job = { spec, outputDirectory: folder, ...ofMap };
    const ground = "mapFootprintsPath" in ofMap ? "map" : "match";
    const drawn = await prepareGround(track, job);
    expect(drawn.drawnOn).toEqual({ ground, relief: "drawn", mapProblem: null });
    const path = join(folder, `${ground}.bin`);
    writeFileSync(path, await encodeRelief(drawn.relief));
    const kept = await prepareGround(track, { ...job, reliefPaths: { [ground]: path } });
    expect(kept.drawnOn.relief).toBe("kept");
    const frames = await Promise.all(
      [drawn, kept].map(async (prepared) => {
        const { scene, painter } = await prepareClip(prepared.track, spec, { relief: prepared.relief });
        return Buffer.concat([0, 12].map((index) => Buffer.from(painter.paint(scene.frame(index), 0))));
      }),
    );
    expect(frames[0]!.equals(frames[1]!)).toBe(true);

    truncateSync(path, 1000);
    const again = await prepareGround(track, { ...job, reliefPaths: { [ground]: path } });
    expect(again.drawnOn.relief).toBe("damaged");
    expect(isSame(again.relief, drawn.relief)).toBe(true);
  }
  // Only what was drawn of the match alone is left to be kept.
  const onItsOwn = await prepareGround(track, { spec, outputDirectory: folder });
  expect(isSame(await decodeRelief(readFileSync(join(folder, drawnReliefFile))), onItsOwn.relief)).toBe(true);
});

test("a match that walks where its map's matches do not is drawn on its own walks, and so is one whose map cannot be read", async () => {
  const elsewhere = syntheticTrack(cast, joined(hall, walkedArea(900, 0, 1400, 300)));
  const spec = { ...specOf([segmentOf(0.5)]), width: 320, height: 180 };
  const mapFootprintsPath = join(folder, "other.bin.gz");
  writeFileSync(mapFootprintsPath, gzipSync(encodeMapFootprints({ rawMap: "de_test", matches: 3, footprints: hall })));
  const job = { spec, outputDirectory: folder, mapFootprintsPath };
  expect((await prepareGround(elsewhere, job)).drawnOn.ground).toBe("match");
  const ofWorkshop = syntheticTrack(cast, hall, { rawMap: "workshop/1/de_test" });
  expect((await prepareGround(ofWorkshop, job)).drawnOn.ground).toBe("match");
  writeFileSync(mapFootprintsPath, "nothing");
  const { drawnOn } = await prepareGround(syntheticTrack(cast, hall), job);
  expect(drawnOn).toMatchObject({ ground: "match", mapProblem: expect.any(String) });
});

test("kept reliefs are found by what they are drawn of, whole or not at all, and the longest unused ones make room", async () => {
  const DATA_DIR = join(folder, "data");
  let isShort = false;
  const place = { config: { DATA_DIR }, diskSpace: { isShort: () => isShort } } as unknown as Parameters<
    typeof keepRelief
  >[0];
  const frame = { width: 1280, height: 720 };
  const name = mapReliefName("a".repeat(32), frame);
  expect(
    new Set([
      name,
      mapReliefName("b".repeat(32), frame),
      mapReliefName("a".repeat(32), { width: 1080, height: 1920 }),
      matchReliefName("a", frame),
    ]).size,
  ).toBe(4);
  const source = join(folder, "source.bin");
  writeFileSync(source, "relief");
  expect(await keptRelief(place, name)).toBeNull();
  await expect(keepRelief(place, name, join(folder, "missing"))).rejects.toThrow();
  expect(readdirSync(join(DATA_DIR, "reliefs"))).toEqual([]);
  await keepRelief(place, name, source);
  expect(readFileSync((await keptRelief(place, name))!, "utf8")).toBe("relief");
  isShort = true;
  await keepRelief(place, matchReliefName("short", frame), source);
  expect(await keptRelief(place, matchReliefName("short", frame))).toBeNull();
  isShort = false;

  // A sparse file of half a gigabyte.
  const large = join(DATA_DIR, "reliefs", matchReliefName("large", frame));
  writeFileSync(large, "");
  truncateSync(large, 512 * 1024 ** 2);
  utimesSync(large, new Date(0), new Date(0));
  const left = join(DATA_DIR, "reliefs", ".left-by-a-killed-process");
  writeFileSync(left, "half");
  utimesSync(left, new Date(0), new Date(0));
  await keepRelief(place, matchReliefName("next", frame), source);
  expect([large, left].map((path) => existsSync(path))).toEqual([false, false]);
  expect(statSync((await keptRelief(place, name))!).size).toBe(6);
});
