import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { mp4Boxes, probeVideo } from "../../tests/services/video.ts";
import { RenderError } from "./render-error.ts";
import { makeShareFile, shareFileName } from "./share-file.ts";
import { shareQuality } from "./share-quality.ts";
import { startShare } from "./start-share.ts";

// Children run at a lower priority than everything else on the machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let folder: string;
let folders = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "share-file-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function newFolder(): string {
  const path = join(folder, String(folders++));
  mkdirSync(path);
  return path;
}

/** A video with sound, far larger than its share file. */
function sourceVideo(name: string, size: { width: number; height: number }, seconds: number, filter = "null"): string {
  const path = join(folder, name);
  const picture = `testsrc2=size=${size.width}x${size.height}:rate=60:duration=${seconds},${filter}`;
  execFileSync("ffmpeg", [
    ...["-v", "error", "-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", `sine=frequency=440:duration=${seconds}`],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-qp", "10", "-pix_fmt", "yuv420p", "-c:a", "aac", path],
  ]);
  return path;
}

test("a video is made to fit, in a process of its own, with picture and sound as its length allows", async () => {
  const size = { width: 1280, height: 720 };
  const [durationSeconds, maxBytes] = [2, 180_000];
  const outputDirectory = newFolder();
  const job = { ...size, framesPerSecond: 60, durationSeconds, maxBytes, outputDirectory };
  const seen: number[] = [];
  const made = await startShare(
    { ...job, videoPath: sourceVideo("wide.mp4", size, durationSeconds) },
    { onProgress: (progress) => seen.push(progress) },
  );
  expect(shareQuality(durationSeconds, maxBytes)).toMatchObject({ shortSide: 540, framesPerSecond: 30 });
  expect(made.bytes).toBeLessThanOrEqual(maxBytes);
  expect(made.bytes).toBeGreaterThan(maxBytes / 2);
  expect(probeVideo(made.sharePath)).toMatchObject({
    ...{ codec: "h264", pixelFormat: "yuv420p", width: 960, height: 540, framesPerSecond: 30 },
    ...{ frames: durationSeconds * 30, audioCodec: "aac" },
  });
  const boxes = mp4Boxes(made.sharePath);
  expect(boxes.indexOf("moov")).toBeLessThan(boxes.indexOf("mdat"));
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.at(-1)).toBe(1);
  expect(readdirSync(outputDirectory)).toEqual([shareFileName]);
});

test("an upright video that is nothing but noise is encoded until it fits, and is not enlarged", async () => {
  const size = { width: 180, height: 320 };
  const outputDirectory = newFolder();
  const maxBytes = 20_000;
  const { bytes } = await makeShareFile({
    ...{ ...size, framesPerSecond: 60, durationSeconds: 1, maxBytes, outputDirectory },
    videoPath: sourceVideo("noise.mp4", size, 1, "noise=alls=80:allf=t"),
  });
  expect(bytes).toBeLessThanOrEqual(maxBytes);
  expect(probeVideo(join(outputDirectory, shareFileName))).toMatchObject({ ...size, framesPerSecond: 15, frames: 15 });
});

test("what is no video leaves no file, and says why in ffmpeg's own words", async () => {
  const videoPath = join(folder, "broken.mp4");
  writeFileSync(videoPath, "not a video");
  const outputDirectory = newFolder();
  const making = startShare({
    ...{ width: 1280, height: 720, framesPerSecond: 60, durationSeconds: 5, maxBytes: 9_500_000 },
    ...{ videoPath, outputDirectory },
  });
  await expect(making).rejects.toThrow(RenderError);
  await expect(making).rejects.toThrow(/Invalid data/);
  expect(readdirSync(outputDirectory)).toEqual([]);
});
