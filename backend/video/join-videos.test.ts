import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { mp4Boxes, probeVideo } from "../../tests/services/video.ts";
import { heldPackets } from "./aac-packets.ts";
import { codecsDiffer, joinedFileName, joinVideos } from "./join-videos.ts";
import { RenderError } from "./render-error.ts";
import { startJoin } from "./start-join.ts";
import { beepEvery, encodeBeeping } from "./testing/beeping-video.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const size = { width: 320, height: 180 };
/** None is a whole number of AAC packets. */
const lengths = { a: 101, b: 147, c: 83 };
const order = ["a", "b", "c", "a", "c", "b", "b", "a", "c", "a"] as const;
const frames = order.reduce((sum, name) => sum + lengths[name], 0);

let folder: string;
const pathOf = (name: string) => join(folder, `${name}.mp4`);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "join-videos-"));
  for (const [index, [name, length]] of Object.entries(lengths).entries()) {
    const look = { hertz: 600 + 200 * index, shade: 60 * index };
    await encodeBeeping({ ...size, ...look, outputPath: pathOf(name), frames: length });
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

function newFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

interface Packet {
  pts: number;
  dts: number;
  data_hash: string;
}

function packetsOf(path: string, stream: "v" | "a"): Packet[] {
  const parameters = ["-v", "error", "-select_streams", stream, "-show_packets", "-show_data_hash", "md5"];
  return JSON.parse(
    execFileSync("ffprobe", [...parameters, "-of", "json", path], { encoding: "utf8", maxBuffer: 2 ** 26 }),
  ).packets;
}

test("ten videos become one in a contained process, every packet of the picture as it was, each frame after the other", async () => {
  const outputDirectory = newFolder("ten");
  const seen: number[] = [];
  const joint = await startJoin(
    { parts: order.map((name) => ({ videoPath: pathOf(name) })), framesPerSecond: 60, outputDirectory },
    { ...size, durationSeconds: frames / 60 },
    { onProgress: (progress) => seen.push(progress) },
  );
  expect(readdirSync(outputDirectory)).toEqual([joinedFileName]);
  expect(joint).toMatchObject({ frameCount: frames, durationSeconds: frames / 60 });
  expect(joint.startSeconds.slice(0, 3)).toEqual([0, 101 / 60, 248 / 60]);
  const facts = probeVideo(joint.videoPath);
  expect(facts).toMatchObject({
    ...{ ...size, codec: "h264", profile: "High", framesPerSecond: 60, frames, audioCodec: "aac" },
  });
  expect(Math.abs(facts.durationSeconds - frames / 60)).toBeLessThan(0.011);
  const boxes = mp4Boxes(joint.videoPath);
  expect(boxes.indexOf("moov")).toBeLessThan(boxes.indexOf("mdat"));

  const packets = packetsOf(joint.videoPath, "v");
  const parts = order.flatMap((name) => packetsOf(pathOf(name), "v"));
  expect(packets.map(({ data_hash }) => data_hash)).toEqual(parts.map(({ data_hash }) => data_hash));
  const ticksOfFrame = 256;
  const shown = packets.map(({ pts }) => pts).sort((a, b) => a - b);
  expect(shown).toEqual(packets.map((_, index) => index * ticksOfFrame));
  expect(packets.map(({ dts }) => dts)).toEqual(packets.map((_, index) => (index - 2) * ticksOfFrame));
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.at(-1)).toBe(1);
});

test("sound is copied as well, without gap or overlap, and at every joint as near to the picture as half a packet", async () => {
  const outputDirectory = newFolder("sound");
  await joinVideos({
    parts: order.map((name) => ({ videoPath: pathOf(name) })),
    framesPerSecond: 60,
    outputDirectory,
  });
  const path = join(outputDirectory, joinedFileName);
  const packets = packetsOf(path, "a");
  const known = new Set(order.flatMap((name) => packetsOf(pathOf(name), "a").map(({ data_hash }) => data_hash)));
  expect(packets.filter(({ data_hash }) => !known.has(data_hash))).toEqual([]);
  expect(packets.map(({ pts }) => pts)).toEqual(packets.map((_, index) => (index - 1) * 1024));

  const pcm = execFileSync("ffmpeg", ["-v", "error", "-i", path, "-f", "s16le", "-ac", "1", "-"], {
    maxBuffer: 2 ** 26,
  });
  const samples = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2);
  let start = 0;
  const early: number[] = [];
  for (const name of order) {
    const expected = start + beepEvery / 2;
    let heard = expected - 6000;
    while (Math.abs(samples[heard] ?? 32767) < 3000) heard++;
    early.push(heard - expected);
    start += lengths[name] * 800;
  }
  // Half a packet is 10.7 ms; a beep rises within a few samples.
  for (const offset of early) expect(Math.abs(offset)).toBeLessThanOrEqual(512 + 24);
  expect(Math.abs(samples.length - start)).toBeLessThanOrEqual(512);
});

test("a sound that ends before its picture puts off the next one alone: that goes on to where its own picture ends", () => {
  const after = heldPackets({ kept: 95, available: 60, startSample: 100_000, endSample: 150_000 });
  expect(after).toEqual({ first: 0, end: 52 });
  expect(heldPackets({ kept: 0, available: 10, startSample: 0, endSample: 0 })).toEqual({ first: 0, end: 1 });
});

test("videos of another size are refused in a sentence, and what is no video leaves nothing", async () => {
  await encodeBeeping({ outputPath: pathOf("other"), width: 180, height: 320, frames: 20, hertz: 500, shade: 0 });
  writeFileSync(pathOf("broken"), "not a video");
  for (const [name, words] of [
    ["other", codecsDiffer],
    ["broken", "The video of a clip cannot be read."],
  ] as const) {
    const outputDirectory = newFolder(`refused-${name}`);
    const joining = startJoin(
      { parts: [{ videoPath: pathOf("a") }, { videoPath: pathOf(name) }], framesPerSecond: 60, outputDirectory },
      { ...size, durationSeconds: 3 },
    );
    await expect(joining).rejects.toThrow(RenderError);
    await expect(joining).rejects.toThrow(words);
    expect(readdirSync(outputDirectory)).toEqual([]);
  }
});
