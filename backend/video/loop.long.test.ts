import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { limits } from "../../contract/limits.ts";
import { mp4Boxes, probeVideo } from "../../tests/services/video.ts";
import { loopFileName } from "./loop.ts";
import { startLoop } from "./start-loop.ts";
import { startRender } from "./start-render.ts";
import { decodedFrame } from "./testing/decoded-frame.ts";
import { type ParsedReel, parseReel } from "./testing/reel-clip.ts";
import { distance, planesOfFrame } from "./testing/yuv-planes.ts";

// Child processes run at a lower priority than everything else on the machine.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 });

let reel: ParsedReel;
let folders = 0;

beforeAll(async () => {
  reel = await parseReel();
});
afterAll(() => rmSync(reel.folder, { recursive: true }));

function newFolder(): string {
  const folder = join(reel.folder, `loop-${folders++}`);
  mkdirSync(folder);
  return folder;
}

const upright = { width: 1080, height: 1920 };
test("a loop is three seconds in 16:9 without sound, of an upright clip too, and its end leads back to its beginning", async () => {
  const spec = reel.clipOf("ace", upright);
  const job = { trackPath: reel.trackPath, spec, outputDirectory: newFolder() };
  const made = await startLoop(job);
  expect(readdirSync(job.outputDirectory)).toEqual([loopFileName]);
  expect(probeVideo(made.loopPath)).toMatchObject({
    ...{ codec: "h264", profile: "High", pixelFormat: "yuv420p", width: 640, height: 360 },
    ...{ framesPerSecond: 30, frames: 90, durationSeconds: 3, audioCodec: null },
  });
  const boxes = mp4Boxes(made.loopPath);
  expect(boxes.indexOf("moov")).toBeLessThan(boxes.indexOf("mdat"));
  expect(readFileSync(made.loopPath).length).toBe(made.bytes);
  expect(made.bytes).toBeLessThanOrEqual(limits.loopBytes);
  expect(made.bytes).toBeGreaterThan(5000);

  const luma = (index: number) => planesOfFrame(decodedFrame(made.loopPath, index), 640, 360).luma;
  const [first, middle, last] = [luma(0), luma(50), luma(89)];
  expect(distance(first, last) * 4).toBeLessThan(distance(first, middle));
});

test("a clip shorter than its loop stands still at its end", async () => {
  const whole = reel.clipOf("ace");
  const [segment] = whole.segments;
  const decisive = segment?.captions[0]?.momentTicks.at(-1);
  if (!segment || decisive === undefined) throw new Error("The ace has no decisive kill.");
  const spec = { ...whole, segments: [{ ...segment, startTick: decisive - 20, endTick: decisive + 20 }] };
  const made = await startLoop({ trackPath: reel.trackPath, spec, outputDirectory: newFolder() });
  expect(probeVideo(made.loopPath)).toMatchObject({ frames: 90, audioCodec: null });
  const luma = (index: number) => planesOfFrame(decodedFrame(made.loopPath, index), 640, 360).luma;
  const [first, standing, still] = [luma(0), luma(70), luma(78)];
  expect(distance(standing, still) * 4).toBeLessThan(distance(first, still));
});

test("a loop that cannot be made leaves no file and says why", async () => {
  const damagedPath = join(reel.folder, "damaged.track");
  writeFileSync(damagedPath, "this is no replay track");
  const job = { trackPath: damagedPath, spec: reel.clipOf("ace"), outputDirectory: newFolder() };
  await expect(startLoop(job)).rejects.toThrow(/does not begin as one/);
  const stopped = new AbortController();
  const wellBegun = startLoop(
    { ...job, trackPath: reel.trackPath },
    { signal: stopped.signal, onProgress: (progress) => progress > 0.2 && stopped.abort() },
  );
  await expect(wellBegun).rejects.toMatchObject({ name: "AbortError" });
  expect(readdirSync(job.outputDirectory)).toEqual([]);
});

test("an upright clip has a poster of its own shape, and one in 16:9 with a thumbnail", async () => {
  const whole = reel.clipOf("knife_kill", { width: 360, height: 640 });
  const [segment] = whole.segments;
  const decisive = segment?.captions[0]?.momentTicks.at(-1);
  if (!segment || decisive === undefined) throw new Error("The knife kill has no moment.");
  const spec = { ...whole, segments: [{ ...segment, startTick: decisive - 32, endTick: decisive + 32 }] };
  const outputDirectory = newFolder();
  const clip = await startRender({ trackPath: reel.trackPath, spec, outputDirectory }, { standstillMs: 200_000 });
  expect(readdirSync(outputDirectory).sort()).toEqual([
    "poster.jpg",
    "relief.bin",
    "thumbnail.jpg",
    "video.mp4",
    "wide-poster.jpg",
  ]);
  const size = (path: string | null) => {
    const { codec, width, height } = probeVideo(path ?? "");
    return { codec, width, height };
  };
  expect(size(clip.posterPath)).toEqual({ codec: "mjpeg", width: 720, height: 1280 });
  expect(size(clip.widePosterPath)).toEqual({ codec: "mjpeg", width: 1280, height: 720 });
  expect(size(clip.thumbnailPath)).toEqual({ codec: "mjpeg", width: 640, height: 360 });
});
