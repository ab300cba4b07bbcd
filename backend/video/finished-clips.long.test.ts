import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clipFormatNames, clipFormats } from "../../contract/clip-formats.ts";
import type { ClipSpec } from "../../replay/clip-spec.ts";
import type { ReplayTrack } from "../../replay/replay-track.ts";
import { buildClipSpec } from "../clips/build-clip-spec.ts";
import { prepareClip, renderClip } from "./render-clip.ts";
import { startRender } from "./start-render.ts";
import { decodedFrames } from "./testing/decoded-frame.ts";
import { everyLayer, parsedDemo } from "./testing/parsed-demo.ts";

const folder = mkdtempSync(join(tmpdir(), "clutchcast-finished-"));
let track: ReplayTrack;
let trackPath: string;
let specs: Record<(typeof clipFormatNames)[number], ClipSpec>;

const enoughKills = 12;
/** Ticks of the kills of whom the camera follows, segment by segment. */
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

/** Mean absolute difference of two planes, 0..255; infinite when they are not of one size. */
function meanDistance(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += Math.abs((a[index] ?? 0) - (b[index] ?? 0));
  return sum / a.length;
}

/** What ffmpeg's own meter (EBU R 128) hears of a video's decoded sound: LUFS and dBTP. */
function heard(videoPath: string): { loudness: number; truePeak: number } {
  const meter = ["-nostdin", "-i", videoPath, "-map", "0:a", "-af", "ebur128=peak=true", "-f", "null", "-"];
  const { stderr } = spawnSync("ffmpeg", meter, { encoding: "utf8", maxBuffer: 64 * 1024 ** 2 });
  const summary = stderr.slice(stderr.lastIndexOf("Summary:"));
  return {
    loudness: Number(/I:\s+(\S+) LUFS/.exec(summary)?.[1]),
    truePeak: Number(/Peak:\s+(\S+) dBFS/.exec(summary)?.[1]),
  };
}

test("a clip rendered beside two others has the same frames and sound as one rendered by itself, and the sound a phone plays", async () => {
  const spec = { ...specs["720p"], segments: specs["720p"].segments.slice(0, 1) };
  const alone = await render(spec);
  const [beside, again] = await Promise.all([render(spec), render(spec), render({ ...spec, title: "Another" })]);
  const md5 = (path: string) => execFileSync("ffmpeg", ["-v", "error", "-i", path, "-f", "framemd5", "-"]).toString();
  expect(md5(beside.videoPath)).toBe(md5(alone.videoPath));
  expect(md5(again.videoPath)).toBe(md5(alone.videoPath));

  const { loudness, truePeak } = heard(alone.videoPath);
  expect(Math.abs(loudness + 16)).toBeLessThan(1);
  expect(truePeak).toBeLessThan(-1);
});
