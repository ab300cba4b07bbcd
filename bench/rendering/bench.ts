/** How fast a clip is rendered, beside what ffmpeg alone needs to encode the same frames. See README.md. */
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { encoderArguments, VideoEncoder } from "../../backend/video/encode.ts";
import { findFfmpeg } from "../../backend/video/ffmpeg.ts";
import { encodeFrames, prepareClip } from "../../backend/video/render-clip.ts";
import { encodeWav } from "../../backend/video/sound/wav.ts";
import { composeSoundtrack } from "../../backend/video/soundtrack.ts";
import { startRender } from "../../backend/video/start-render.ts";
import { encodeReplayTrack } from "../../replay/encode-track.ts";
import { mirageClip } from "./mirage-clip.ts";

/** Frames compared; raw they are 1.4 MB each, so six seconds fit into the page cache of a small machine. */
const comparedFrames = 360;
const rounds = 5;

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const framesPerSecond = async (frames: number, run: () => unknown) => {
  const start = performance.now();
  await run();
  return frames / ((performance.now() - start) / 1000);
};

const folder = mkdtempSync(join(tmpdir(), "clutchcast-bench-"));
try {
  const ffmpegPath = await findFfmpeg({ configured: process.env.FFMPEG_PATH });
  const { track, spec } = await mirageClip(folder);
  const { scene, painter } = await prepareClip(track, spec);
  const frameCount = Math.min(comparedFrames, scene.frameCount);
  const compared = { scene: { ...scene, frameCount }, painter };

  const soundtrackPath = join(folder, "sound.wav");
  writeFileSync(soundtrackPath, encodeWav(composeSoundtrack(track, spec, frameCount)));
  const options = { ...spec, soundtrackPath, outputPath: join(folder, "video.mp4") };

  const rawPath = join(folder, "frames.yuv");
  const raw = openSync(rawPath, "w");
  const painted = await framesPerSecond(frameCount, () => {
    for (let index = 0; index < frameCount; index++) writeSync(raw, painter.paint(scene.frame(index), 0));
  });
  closeSync(raw);
  const paintedAgain = await framesPerSecond(frameCount, () => {
    for (let index = 0; index < frameCount; index++) painter.paint(scene.frame(index), 0);
  });

  const encodeOnly: number[] = [];
  const rendered: number[] = [];
  for (let round = 0; round < rounds; round++) {
    encodeOnly.push(
      await framesPerSecond(frameCount, () => {
        const { status, stderr } = spawnSync(ffmpegPath, encoderArguments(options, rawPath), { encoding: "utf8" });
        if (status !== 0) throw new Error(stderr);
      }),
    );
    rendered.push(
      await framesPerSecond(frameCount, () =>
        encodeFrames(compared, new VideoEncoder({ ffmpegPath, ...options }), () => {}),
      ),
    );
  }

  const trackPath = join(folder, "match.track.gz");
  writeFileSync(trackPath, gzipSync(encodeReplayTrack(track)));
  const outputDirectory = join(folder, "clip");
  mkdirSync(outputDirectory);
  const start = performance.now();
  const clip = await startRender({ trackPath, spec, outputDirectory, ffmpegPath });
  const wholeSeconds = (performance.now() - start) / 1000;

  const ratios = rendered.map((rate, round) => rate / encodeOnly[round]!);
  const result = {
    cores: cpus().length,
    frameSize: `${spec.width}x${spec.height}`,
    comparedFrames: frameCount,
    paintFramesPerSecond: paintedAgain,
    paintFirstTimeFramesPerSecond: painted,
    encodeOnlyFramesPerSecond: median(encodeOnly),
    renderFramesPerSecond: median(rendered),
    renderTimesRealTime: median(rendered) / spec.framesPerSecond,
    ratioToEncodeOnly: median(ratios),
    wholeClip: {
      clipSeconds: clip.durationSeconds,
      wallSeconds: wholeSeconds,
      timesRealTime: clip.durationSeconds / wholeSeconds,
      megabytesPerMinute: (clip.bytes / 1e6 / clip.durationSeconds) * 60,
    },
  };
  const rows = [
    ["painting alone", `${result.paintFramesPerSecond.toFixed(0)} frames/s`],
    ["encoding alone, frames from a file (median)", `${result.encodeOnlyFramesPerSecond.toFixed(0)} frames/s`],
    [
      "painting and encoding (median)",
      `${result.renderFramesPerSecond.toFixed(0)} frames/s, ${result.renderTimesRealTime.toFixed(2)} × real time`,
    ],
    ["painting and encoding ÷ encoding alone (median of pairs)", result.ratioToEncodeOnly.toFixed(2)],
    [
      `a clip of ${clip.durationSeconds.toFixed(1)} s, process start to finished file`,
      `${wholeSeconds.toFixed(1)} s, ${result.wholeClip.timesRealTime.toFixed(2)} × real time`,
    ],
    ["size", `${result.wholeClip.megabytesPerMinute.toFixed(1)} MB a minute`],
  ];
  const widest = Math.max(...rows.map(([name = ""]) => name.length));
  console.log(`${result.frameSize}, ${result.cores} cores, ${frameCount} frames compared in ${rounds} pairs`);
  for (const [name = "", value] of rows) console.log(`${name.padEnd(widest)}  ${value}`);
  const results = new URL("../results/", import.meta.url);
  mkdirSync(results, { recursive: true });
  writeFileSync(new URL("rendering.json", results), `${JSON.stringify(result, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
