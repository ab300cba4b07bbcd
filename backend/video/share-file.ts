import { rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { findFfmpeg } from "./ffmpeg.ts";
import { fromFileSystem, RenderError } from "./render-error.ts";
import { Ffmpeg, ownInputs, quietly } from "./run-ffmpeg.ts";
import { type ShareQuality, shareQuality } from "./share-quality.ts";

export interface ShareOptions {
  /** A finished video of ours. */
  videoPath: string;
  /** Width of that video in pixels. */
  width: number;
  height: number;
  framesPerSecond: number;
  durationSeconds: number;
  maxBytes: number;
  /** Must exist; gets `share.mp4`. */
  outputDirectory: string;
  /** FFMPEG_PATH, if it is set. */
  ffmpegPath?: string | undefined;
  /** 0..1 */
  onProgress?: (progress: number) => void;
  signal?: AbortSignal | undefined;
}

export const shareFileName = "share.mp4";

/** More than two are needed only if the encoder misses its average by far, as for a clip of few frames. */
const maxTries = 4;

/**
 * Makes the share file of a clip for chat apps, at most `maxBytes`, in two passes at the quality that its length allows. It gets its name
 * only when it is complete.
 * @returns its size in bytes
 * @throws RenderError, FfmpegMissingError, RangeError for a length that does not fit, or the signal's reason
 */
export async function makeShareFile(options: ShareOptions): Promise<{ bytes: number }> {
  const { outputDirectory, maxBytes } = options;
  const passLog = join(outputDirectory, "share-pass");
  const unfinished = join(outputDirectory, "share-unfinished.mp4");
  try {
    const encoder = { ffmpegPath: await findFfmpeg({ configured: options.ffmpegPath }), passLog };
    const quality = shareQuality(options.durationSeconds, maxBytes);
    const report = options.onProgress ?? (() => {});
    await encode(options, quality, { ...encoder, pass: 1, outputPath: null }, (done) => report(done * 0.45));
    let { videoKilobits } = quality;
    for (let attempt = 1; ; attempt++) {
      const pass = { ...encoder, pass: 2, outputPath: unfinished } as const;
      await encode(options, { ...quality, videoKilobits }, pass, (done) => report(0.45 + done * 0.55));
      const { size: bytes } = await stat(unfinished);
      if (bytes <= maxBytes) {
        await rename(unfinished, join(outputDirectory, shareFileName));
        report(1);
        return { bytes };
      }
      if (attempt === maxTries) throw new RenderError(`The video does not get smaller than ${bytes} bytes.`);
      videoKilobits = Math.max(1, Math.floor(videoKilobits * (maxBytes / bytes) * 0.95));
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    throw fromFileSystem(error);
  } finally {
    for (const left of [unfinished, `${passLog}-0.log`, `${passLog}-0.log.mbtree`]) await rm(left, { force: true });
  }
}

interface Pass {
  ffmpegPath: string;
  passLog: string;
  pass: 1 | 2;
  /** null for the first pass, which only writes its log. */
  outputPath: string | null;
}

async function encode(
  { videoPath, width, height, framesPerSecond: own, durationSeconds, signal }: ShareOptions,
  { shortSide, framesPerSecond: most, videoKilobits, audioKilobits, audioChannels }: ShareQuality,
  { ffmpegPath, passLog, pass, outputPath }: Pass,
  onProgress: (progress: number) => void,
): Promise<void> {
  signal?.throwIfAborted();
  const framesPerSecond = Math.min(own, most);
  const scale = Math.min(1, shortSide / Math.min(width, height));
  const even = (pixels: number) => 2 * Math.round((pixels * scale) / 2);
  const sound = ["-c:a", "aac", "-b:a", `${audioKilobits}k`, "-ar", "48000", "-ac", String(audioChannels)];
  const ffmpeg = new Ffmpeg(
    ffmpegPath,
    [
      ...[...quietly, "-y", "-nostats", "-progress", "pipe:1", ...ownInputs, "-i", videoPath, "-map", "0:v"],
      ...["-vf", `fps=${framesPerSecond},scale=${even(width)}:${even(height)}:flags=bicubic,format=yuv420p`],
      ...["-c:v", "libx264", "-preset", "veryfast", "-profile:v", "high", "-threads", "2"],
      ...["-b:v", `${videoKilobits}k`, "-pass", String(pass), "-passlogfile", passLog],
      ...["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact"],
      ...(outputPath === null
        ? ["-an", "-f", "null", "-"]
        : ["-map", "0:a", ...sound, "-movflags", "+faststart", "-f", "mp4", outputPath]),
    ],
    "report",
  );
  const stop = () => ffmpeg.process.kill("SIGKILL");
  signal?.addEventListener("abort", stop, { once: true });
  try {
    await ffmpeg.exitReporting((frames) => onProgress(Math.min(1, frames / (durationSeconds * framesPerSecond))));
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}
