import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clipFormatNames, clipFormats } from "../../contract/clip-formats.ts";
import type { ClipSpec } from "../../replay/clip-spec.ts";
import type { ReplayTrack } from "../../replay/replay-track.ts";
import { planClipTime } from "../../scene/clip-time.ts";
import { composeSoundtrack } from "../../scene/sound/soundtrack.ts";
import { sampleRate } from "../../scene/sound/synthesis.ts";
import { buildClipSpec } from "../clips/create/build-clip-spec.ts";
import { prepareClip, renderClip } from "./render-clip.ts";
import { startRender } from "./start-render.ts";
import { decodedFrames } from "./testing/decoded-frame.ts";
import { everyLayer, parsedDemo } from "./testing/parsed-demo.ts";

const folder = mkdtempSync(join(tmpdir(), "clutchcast-finished-"));
let track: ReplayTrack;
let trackPath: string;
let specs: Record<(typeof clipFormatNames)[number], ClipSpec>;

const enoughKills = 12;
/** Ticks of the followed player's kills, by segment. */
const killTicks = (spec: ClipSpec) =>
  spec.segments.map(({ startTick, endTick, player }) =>
    track.record.kills
      .filter(({ attacker, tick }) => attacker === player && tick >= startTick && tick < endTick)
      .map(({ tick }) => tick),
  );

beforeAll(async () => {
  const parsed = await parsedDemo("match-de_nuke.dem.zst", folder);
  ({ track, trackPath } = parsed);
  const settings = { ...everyLayer, pre_time_adjustment: 2, post_time_adjustment: -1.5 };
  const best = [...parsed.highlights].sort((a, b) => b.score - a.score);
  const specOf = (count: number, format: (typeof clipFormatNames)[number]) => {
    const { framesPerSecond: fps, ...size } = clipFormats[format];
    return buildClipSpec(track.record, best.slice(0, count), settings, { title: "Twelve kills", ...size, fps });
  };
  let count = 1;
  while (killTicks(specOf(count, "720p")).flat().length < enoughKills && count < best.length) count++;
  specs = { "720p": specOf(count, "720p"), "1080p": specOf(1, "1080p"), vertical: specOf(1, "vertical") };
});
afterAll(() => rmSync(folder, { recursive: true }));

let clips = 0;
function newFolder(): string {
  const path = join(folder, `clip-${clips++}`);
  mkdirSync(path);
  return path;
}

const render = (spec: ClipSpec) => startRender({ trackPath, spec, outputDirectory: newFolder() });

test.each(clipFormatNames)(
  "every kill stands in just the frame of the decoded %s video that the scene has for it",
  async (format) => {
    const spec = specs[format];
    const { videoPath } = await renderClip({ track, spec, outputDirectory: newFolder() });
    const { scene, painter } = await prepareClip(track, spec);
    const kills = spec.segments.flatMap(
      (segment, index) => killTicks(spec)[index]?.map((tick) => scene.frameAt(segment, tick)) ?? [],
    );
    expect(kills.length).toBeGreaterThanOrEqual(format === "720p" ? enoughKills : 3);

    const pixels = spec.width * spec.height;
    const shown = kills.filter((frame) => frame !== null);
    expect(shown).toHaveLength(kills.length);
    const around = (frame: number, reach: number) =>
      Array.from({ length: 2 * reach + 1 }, (_, place) => frame - reach + place);
    const decoded = await decodedFrames(
      videoPath,
      shown.flatMap((frame) => around(frame, 1)),
      spec,
    );
    for (const frame of shown) {
      const painted = around(frame, 3).map((index) => painter.paint(scene.frame(index), 0).slice(0, pixels));
      for (const index of around(frame, 1)) {
        const luma = decoded.get(index)?.subarray(0, pixels) ?? new Uint8Array();
        const differences = painted.map((candidate) => meanDistance(luma, candidate));
        const own = differences[index - frame + 3] ?? Number.POSITIVE_INFINITY;
        expect(own, `frame ${index}`).toBeLessThan(2);
        expect(Math.min(...differences), `frame ${index}: ${differences}`).toBe(own);
      }
    }
  },
);

/** Mean absolute difference of two planes, 0..255; infinite if they differ in size. */
function meanDistance(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += Math.abs((a[index] ?? 0) - (b[index] ?? 0));
  return sum / a.length;
}

/** Samples of the left channel, decoded from the video. */
function decodedSound(videoPath: string): Float32Array {
  const raw = ["-map", "0:a", "-ac", "2", "-ar", `${sampleRate}`, "-f", "f32le", "-"];
  const bytes = execFileSync("ffmpeg", ["-v", "error", "-i", videoPath, ...raw], { maxBuffer: 512 * 1024 ** 2 });
  return Float32Array.from({ length: bytes.length / 8 }, (_, sample) => bytes.readFloatLE(sample * 8));
}

/** By how many samples `heard` lags behind `written` around a sample: the best match within two frames. */
function delayAround(heard: Float32Array, written: Float32Array, sample: number): number {
  const [from, to] = [sample - 2400, sample + 7200];
  let best = { likeness: Number.NEGATIVE_INFINITY, delay: Number.NaN };
  for (let delay = -1600; delay <= 1600; delay += 8) {
    let likeness = 0;
    for (let at = from; at < to; at++) likeness += (written[at] ?? 0) * (heard[at + delay] ?? 0);
    if (likeness > best.likeness) best = { likeness, delay };
  }
  return best.delay;
}

test("what the camera's player shoots is heard in the decoded video within the frame that shows it, in slow motion too", async () => {
  // Its size does not affect the sound.
  const spec = { ...specs["720p"], width: 640, height: 360 };
  const { scene } = await prepareClip(track, spec);
  const { videoPath, frameCount } = await render(spec);
  const heard = decodedSound(videoPath);
  const { left: written } = composeSoundtrack(track, spec, frameCount);
  const samplesOfFrame = sampleRate / spec.framesPerSecond;
  const { segments } = planClipTime(track.record, spec);
  let slowed = 0;
  let looked = 0;
  for (const { segment, timeMap, firstFrame } of segments) {
    const { player, startTick, endTick } = segment;
    const kills = track.record.kills.filter(
      ({ attacker, tick }) => attacker === player && tick >= startTick && tick < endTick,
    );
    for (const { tick: killTick } of kills) {
      const shot = track.record.shots
        .filter(
          (candidate) => candidate.player === player && candidate.tick <= killTick && candidate.tick > killTick - 8,
        )
        .at(-1);
      if (!shot) continue;
      const frame = scene.frameAt(segment, shot.tick);
      if (frame === null) throw new Error(`No frame shows tick ${shot.tick}.`);
      // The difference to a soundtrack without one shot is that shot's sound.
      const record = { ...track.record, shots: track.record.shots.filter((other) => other !== shot) };
      const { left: without } = composeSoundtrack({ ...track, record }, spec, frameCount);
      const around = Math.round(frame * samplesOfFrame);
      const added = written
        .subarray(around - 4 * samplesOfFrame, around + 4 * samplesOfFrame)
        .map((sample, index) => Math.abs(sample - (without[around - 4 * samplesOfFrame + index] ?? 0)));
      const loudest = added.reduce((most, sample) => Math.max(most, sample), 0);
      const begins = added.findIndex((sample) => sample > loudest / 4) - 4 * samplesOfFrame;
      expect(Math.abs(begins), `shot at tick ${shot.tick}`).toBeLessThanOrEqual(samplesOfFrame);
      expect(Math.abs(delayAround(heard, written, around)), `shot at tick ${shot.tick}`).toBeLessThan(
        samplesOfFrame / 4,
      );
      if (timeMap.speedAt(frame - firstFrame) < 0.7) slowed++;
      looked++;
    }
  }
  expect(looked).toBeGreaterThanOrEqual(8);
  expect(slowed).toBeGreaterThanOrEqual(2);
});

/** Loudness in LUFS and true peak in dBTP of a video's decoded sound, by ffmpeg's own meter (EBU R 128). */
function heard(videoPath: string): { loudness: number; truePeak: number } {
  const meter = ["-nostdin", "-i", videoPath, "-map", "0:a", "-af", "ebur128=peak=true", "-f", "null", "-"];
  const { stderr } = spawnSync("ffmpeg", meter, { encoding: "utf8", maxBuffer: 64 * 1024 ** 2 });
  const summary = stderr.slice(stderr.lastIndexOf("Summary:"));
  return {
    loudness: Number(/I:\s+(\S+) LUFS/.exec(summary)?.[1]),
    truePeak: Number(/Peak:\s+(\S+) dBFS/.exec(summary)?.[1]),
  };
}

test("a clip rendered beside two others has the frames, sound and poster of one rendered by itself, whatever the letters, and the sound a phone plays", async () => {
  const title = "Łukasz 莫言 Привет שלום 🔥 <script>";
  const spec = { ...specs["720p"], title, segments: specs["720p"].segments.slice(0, 1) };
  const alone = await render(spec);
  const [beside, again] = await Promise.all([render(spec), render(spec), render({ ...spec, title: "Another" })]);
  const md5 = (path: string) => execFileSync("ffmpeg", ["-v", "error", "-i", path, "-f", "framemd5", "-"]).toString();
  expect(md5(beside.videoPath)).toBe(md5(alone.videoPath));
  expect(md5(again.videoPath)).toBe(md5(alone.videoPath));
  expect(readFileSync(beside.posterPath).equals(readFileSync(alone.posterPath))).toBe(true);

  const { loudness, truePeak } = heard(alone.videoPath);
  expect(Math.abs(loudness + 16)).toBeLessThan(1);
  expect(truePeak).toBeLessThan(-1);
});
