import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { sampleRate } from "../../scene/sound/synthesis.ts";
import { YuvPainter } from "./compositor/yuv-painter.ts";
import { countFrames, VideoEncoder } from "./encode.ts";
import { bundledFfmpeg, findFfmpeg } from "./ffmpeg.ts";
import { readCodecs } from "./mp4-codecs.ts";
import { encodeFrames, type FrameSource } from "./render-clip.ts";
import { interruptedCode, RenderError } from "./render-error.ts";
import { encodeWav } from "./sound/wav.ts";
import { openSpriteBakery } from "./sprite-bakery.ts";
import { decodedFrame } from "./testing/decoded-frame.ts";
import { busyList, drawnMap } from "./testing/painted-scene.ts";
import { distance, planesOfFrame } from "./testing/yuv-planes.ts";
import { writePoster } from "./write-poster.ts";

const folder = mkdtempSync(join(tmpdir(), "clutchcast-encode-"));
afterAll(() => rmSync(folder, { recursive: true }));

const size = { width: 320, height: 180 };
const frameCount = 95;
const image = drawnMap(700, 400);
const scene: FrameSource = {
  frameCount,
  frame: (index) => busyList(image, size.width, size.height, index),
};
const { bakeSprite } = await openSpriteBakery([]);
const painter = new YuvPainter({ ...size, buffers: 4, bakeSprite });
const soundtrackPath = join(folder, "sound.wav");
const samples = Math.round((frameCount / 60) * sampleRate);
const tone = Float32Array.from({ length: samples }, (_, index) => 0.2 * Math.sin(index / 20));
writeFileSync(soundtrackPath, encodeWav({ left: tone, right: tone }));

const encoderFor = (ffmpegPath: string, outputPath: string, soundtrack = soundtrackPath) =>
  new VideoEncoder({ ffmpegPath, ...size, framesPerSecond: 60, soundtrackPath: soundtrack, outputPath });

async function encoded(name: string, ffmpegPath?: string): Promise<string> {
  const outputPath = join(folder, name);
  await encodeFrames({ scene, painter }, encoderFor(ffmpegPath ?? (await findFfmpeg()), outputPath), () => {});
  return outputPath;
}

function probe(path: string) {
  const text = execFileSync("ffprobe", ["-v", "error", "-count_frames", "-show_streams", "-of", "json", path]);
  const { streams } = JSON.parse(text.toString()) as { streams: Record<string, string | number>[] };
  return {
    video: streams.find((s) => s.codec_type === "video")!,
    audio: streams.find((s) => s.codec_type === "audio")!,
  };
}

/** The types of an mp4's top-level boxes, in order. */
function boxes(path: string): string[] {
  const bytes = readFileSync(path);
  const names: string[] = [];
  for (let at = 0; at + 8 <= bytes.length; at += bytes.readUInt32BE(at))
    names.push(bytes.toString("latin1", at + 4, at + 8));
  return names;
}

for (const [which, findFfmpegPath] of [
  ["ffmpeg on the path", () => undefined],
  ["the ffmpeg that npm installed", bundledFfmpeg],
] as const) {
  test(`makes an mp4 that every browser plays, with ${which}`, async () => {
    const ffmpegPath = findFfmpegPath();
    if (ffmpegPath === null) throw new Error("npm has installed no ffmpeg for this platform.");
    const path = await encoded(`${ffmpegPath ? "bundled" : "found"}.mp4`, ffmpegPath);
    const { video, audio } = probe(path);
    expect(video).toMatchObject({
      codec_name: "h264",
      profile: "High",
      pix_fmt: "yuv420p",
      r_frame_rate: "60/1",
      avg_frame_rate: "60/1",
      color_space: "bt709",
      color_transfer: "bt709",
      color_primaries: "bt709",
      color_range: "tv",
      ...size,
    });
    expect(Number(video.nb_read_frames)).toBe(frameCount);
    expect(Number(video.duration)).toBeCloseTo(frameCount / 60, 3);
    expect(audio).toMatchObject({ codec_name: "aac", profile: "LC", sample_rate: "48000", channels: 2 });
    expect(Math.abs(Number(audio.duration) - frameCount / 60)).toBeLessThan(0.02);
    expect(Number(audio.start_time)).toBe(0);
    const order = boxes(path);
    expect(order.indexOf("moov")).toBeLessThan(order.indexOf("mdat"));
    expect(order).toContain("mdat");
    expect(await countFrames(await findFfmpeg(), path)).toBe(frameCount);
  });
}

test("pictures are coded as those of clips that were made before, so that a compilation joins both", async () => {
  const { video } = await readCodecs(await encoded("joined.mp4"));
  // The picture parameter set of version 0.1.0; the bytes around it depend on the build of x264.
  expect(video.toString("hex")).toContain("01000468ee0fcb");
});

test("puts every painted frame at its place in the video", async () => {
  const path = await encoded("frames.mp4");
  const luma = (frame: Uint8Array) => planesOfFrame(frame, size.width, size.height).luma;
  for (const index of [0, 47, frameCount - 1]) {
    const decoded = luma(decodedFrame(path, index));
    const difference = (other: number) =>
      distance(decoded, luma(painter.paint(scene.frame(other), 0))) / decoded.length;
    expect(difference(index)).toBeLessThan(2.5);
    for (const neighbour of [index - 4, index + 4])
      expect(difference(neighbour)).toBeGreaterThan(difference(index) * 1.5);
  }
});

test("hands over every frame unchanged while the encoder is slow", async () => {
  // An encoder that only counts and sums its input, slower than the painter.
  const slow = join(folder, "slow.mjs");
  const sums = join(folder, "sums.json");
  const frameBytes = painter.frameBytes;
  writeFileSync(
    slow,
    `#!${process.execPath}
    import { readSync, writeFileSync } from "node:fs";
    const frame = Buffer.alloc(${frameBytes}); const sums = []; let filled = 0;
    for (;;) {
      let got = 0;
      try { got = readSync(0, frame, filled, Math.min(70000, frame.length - filled)); }
      catch (error) { if (error.code === "EAGAIN") { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2); continue; } if (error.code !== "EOF") throw error; }
      if (got === 0) break;
      filled += got;
      if (filled === frame.length) { filled = 0; sums.push(frame.reduce((sum, byte, index) => (sum * 31 + byte + index) >>> 0, 7)); }
    }
    writeFileSync(${JSON.stringify(sums)}, JSON.stringify(sums));`,
    { mode: 0o755 },
  );
  const short = { scene: { ...scene, frameCount: 30 }, painter };
  await encodeFrames(short, encoderFor(slow, join(folder, "unused.mp4")), () => {});
  const expected = Array.from({ length: 30 }, (_, index) =>
    painter.paint(scene.frame(index), 0).reduce((sum, byte, at) => (sum * 31 + byte + at) >>> 0, 7),
  );
  expect(JSON.parse(readFileSync(sums, "utf8"))).toEqual(expected);
});

test("tells in ffmpeg's own words why it ended", async () => {
  const outputPath = join(folder, "broken.mp4");
  const encoder = encoderFor(await findFfmpeg(), outputPath, join(folder, "no-such-sound.wav"));
  const encoding = encodeFrames({ scene, painter }, encoder, () => {});
  await expect(encoding).rejects.toThrow(RenderError);
  await expect(encoding).rejects.toThrow(/no-such-sound\.wav: No such file/);
});

test("says in one sentence when ffmpeg cannot be started at all", async () => {
  const encoding = encodeFrames(
    { scene, painter },
    encoderFor(join(folder, "absent"), join(folder, "x.mp4")),
    () => {},
  );
  await expect(encoding).rejects.toThrow(/ffmpeg cannot be started: .*ENOENT/);
});

test.runIf(existsSync("/dev/full"))("knows a full disk", async () => {
  const encoding = encodeFrames({ scene, painter }, encoderFor(await findFfmpeg(), "/dev/full"), () => {});
  await expect(encoding).rejects.toMatchObject({ code: "ENOSPC", message: "There is no space left on the disk." });
});

test("stops at once when it is aborted, and the encoder with it", async () => {
  const controller = new AbortController();
  const encoder = encoderFor(await findFfmpeg(), join(folder, "aborted.mp4"));
  const encoding = encodeFrames(
    { scene: { ...scene, frameCount: 100_000 }, painter },
    encoder,
    (progress) => {
      if (progress > 0) controller.abort(new Error("enough"));
    },
    controller.signal,
  );
  await expect(encoding).rejects.toThrow("enough");
  await expect(encoder.write(new Uint8Array(8))).rejects.toThrow(/SIGKILL/);
});

test.runIf(process.platform !== "win32")("ends an ffmpeg that stands still, whatever it is asked for", async () => {
  const ffmpegPath = join(folder, "frozen");
  writeFileSync(ffmpegPath, "#!/bin/sh\nexec sleep 600\n", { mode: 0o755 });
  const outputPath = join(folder, "never");
  const frozen = { ffmpegPath, ...size, outputPath, patienceMs: 500 };
  const stoodStill = { code: interruptedCode, message: "The video encoder stood still." };
  const encoder = () => new VideoEncoder({ ...frozen, framesPerSecond: 60, soundtrackPath });
  await expect(encodeFrames({ scene, painter }, encoder(), () => {})).rejects.toMatchObject(stoodStill);
  await expect(encoder().finish()).rejects.toMatchObject(stoodStill);
  const frame = painter.paint(scene.frame(0), 0);
  await expect(writePoster(frame, { ...frozen, pictureWidth: 64 })).rejects.toMatchObject(stoodStill);
  await expect(countFrames(ffmpegPath, outputPath, 500)).rejects.toMatchObject(stoodStill);
});

test("lets no input send ffmpeg elsewhere", async () => {
  const encoder = encoderFor(await findFfmpeg(), join(folder, "elsewhere.mp4"), "http://127.0.0.1:9/sound.wav");
  const encoding = encodeFrames({ scene, painter }, encoder, () => {});
  await expect(encoding).rejects.toThrow(/not on whitelist/);
});

test("writes the poster with the frame's colours", async () => {
  const outputPath = join(folder, "poster.jpg");
  const frame = painter.paint([{ op: "rect", x: 0, y: 0, width: 320, height: 180, colour: "#4080c0", alpha: 1 }], 0);
  await writePoster(frame, { ffmpegPath: await findFfmpeg(), ...size, pictureWidth: 1280, outputPath });
  const bytes = readFileSync(outputPath);
  expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
  const rgb = execFileSync("ffmpeg", ["-v", "error", "-i", outputPath, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], {
    maxBuffer: 64 * 1024 ** 2,
  });
  expect(rgb.length).toBe(1280 * 720 * 3);
  for (const [channel, value] of [0x40, 0x80, 0xc0].entries())
    expect(Math.abs(rgb[30_000 + channel]! - value)).toBeLessThan(5);
});
