/** How fast clips are rendered in every format, compared with ffmpeg alone encoding the same frames. See README.md. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { findFfmpeg } from "../../backend/video/ffmpeg.ts";
import { startRender } from "../../backend/video/start-render.ts";
import { type ClipFormat, clipFormatNames, clipFormats } from "../../contract/clip-formats.ts";
import { encodeReplayTrack } from "../../replay/encode-track.ts";
import { compareWays, type WayRates } from "./compare-ways.ts";
import { mirageClip } from "./mirage-clip.ts";
import { playableAfter } from "./playable-after.ts";

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const rate = (value: number) => `${value.toFixed(0)} frames/s`;
const asked = process.env.FORMAT?.split(",") ?? clipFormatNames;
const formats = clipFormatNames.filter((format) => asked.includes(format));

const folder = mkdtempSync(join(tmpdir(), "clutchcast-bench-"));
try {
  const ffmpegPath = await findFfmpeg({ configured: process.env.FFMPEG_PATH });
  const results: Partial<Record<ClipFormat, object>> = {};
  const { track, specOf } = await mirageClip(folder);
  const trackPath = join(folder, "match.track.gz");
  writeFileSync(trackPath, gzipSync(encodeReplayTrack(track)));
  for (const format of formats) {
    const spec = specOf(format);
    const { rounds, similarity, painting } = await compareWays({ track, spec, folder, ffmpegPath });
    const outputDirectory = join(folder, `clip ${format}`);
    mkdirSync(outputDirectory);
    const start = performance.now();
    const clip = await startRender({ trackPath, spec, outputDirectory, ffmpegPath });
    const wholeSeconds = (performance.now() - start) / 1000;

    const of = (read: (round: WayRates) => number) => median(rounds.map(read));
    const result = {
      painting,
      encodingAlone: of(({ encodingAlone }) => encodingAlone),
      rendering: of(({ rendering }) => rendering),
      renderingTimesRealTime: of(({ rendering }) => rendering) / clipFormats[format].framesPerSecond,
      renderingToEncodingAlone: of(({ rendering, encodingAlone }) => rendering / encodingAlone),
      canvasWay: of(({ canvasWay }) => canvasWay),
      renderingToCanvasWay: of(({ rendering, canvasWay }) => rendering / canvasWay),
      similarity,
      wholeClip: {
        clipSeconds: clip.durationSeconds,
        wallSeconds: wholeSeconds,
        megabytesPerMinute: (clip.bytes / 1e6 / clip.durationSeconds) * 60,
      },
    };
    results[format] = result;
    printTable(`${format}, ${spec.width} × ${spec.height}, ${cpus().length} cores`, [
      ["painting alone", rate(painting)],
      ["encoding alone, frames from a file (median)", rate(result.encodingAlone)],
      [
        "painting and encoding (median)",
        `${rate(result.rendering)}, ${result.renderingTimesRealTime.toFixed(2)} × real time`,
      ],
      ["painting and encoding ÷ encoding alone (median of rounds)", result.renderingToEncodingAlone.toFixed(2)],
      ["canvas, RGBA into ffmpeg (median)", rate(result.canvasWay)],
      ["painting and encoding ÷ canvas way (median of rounds)", result.renderingToCanvasWay.toFixed(2)],
      ["SSIM of the video to the painted frames", similarity.toFixed(4)],
      [
        `a clip of ${clip.durationSeconds.toFixed(1)} s, process start to finished file`,
        `${wholeSeconds.toFixed(1)} s, ${(clip.durationSeconds / wholeSeconds).toFixed(2)} × real time`,
      ],
      ["size", `${result.wholeClip.megabytesPerMinute.toFixed(1)} MB a minute`],
    ]);
  }

  const playable = await playableAfter(folder, ffmpegPath);
  printTable("From Create to a video that plays, the queue empty, 720p", [
    [`a clip of ${playable.clipSeconds.toFixed(1)} s`, `${playable.seconds.toFixed(1)} s`],
    ["the same video encoded alone, one after the other", `${playable.encodingSeconds.toFixed(1)} s`],
    ["ratio", (playable.seconds / playable.encodingSeconds).toFixed(2)],
  ]);
  const kept = new URL("../results/", import.meta.url);
  mkdirSync(kept, { recursive: true });
  const written = { cores: cpus().length, formats: results, playable };
  writeFileSync(new URL("rendering.json", kept), `${JSON.stringify(written, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function printTable(title: string, rows: [name: string, value: string][]): void {
  const widest = Math.max(...rows.map(([name]) => name.length));
  console.log(`\n${title}`);
  for (const [name, value] of rows) console.log(`${name.padEnd(widest)}  ${value}`);
}
