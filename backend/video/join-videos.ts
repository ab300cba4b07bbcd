import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { adtsFrames, framesPerPacket, heldPackets, primingPackets, sampleRate } from "./aac-packets.ts";
import { countFrames } from "./encode.ts";
import { findFfmpeg } from "./ffmpeg.ts";
import { readCodecs } from "./mp4-codecs.ts";
import { fromFileSystem, RenderError } from "./render-error.ts";
import { Ffmpeg, ownInputs, quietly } from "./run-ffmpeg.ts";

export interface JoinPart {
  /** A finished video of ours. */
  videoPath: string;
}

export interface JoinOptions {
  /** At least one, in the order of the compilation. */
  parts: readonly JoinPart[];
  /** The same for all parts. */
  framesPerSecond: number;
  /** Must exist; gets `joined.mp4`. */
  outputDirectory: string;
  /** FFMPEG_PATH, if it is set. */
  ffmpegPath?: string | undefined;
  /** 0..1 */
  onProgress?: (progress: number) => void;
  signal?: AbortSignal | undefined;
}

export interface JoinResult {
  bytes: number;
  frameCount: number;
  durationSeconds: number;
  /** Where each part begins. */
  startSeconds: number[];
}

export const joinedFileName = "joined.mp4";
/** Folder of unfinished files, in the output directory. */
export const workFolder = ".joining";

/** The message for videos whose frames do not fit into one stream. */
export const codecsDiffer =
  "These clips were encoded with different settings, so they cannot be joined without encoding them again.";

/**
 * Joins finished videos without re-encoding: packets of picture and sound are copied. The output gets its name only when it is complete.
 * The sound of each part is aligned with its picture to half an AAC packet (10.7 ms): joined end to end, the priming of each encoder and
 * the rest of its last packet would add up. Decision 150.
 * @throws RenderError, FfmpegMissingError, or the signal's reason
 */
export async function joinVideos(options: JoinOptions): Promise<JoinResult> {
  const folder = join(options.outputDirectory, workFolder);
  await rm(folder, { recursive: true, force: true });
  try {
    await mkdir(folder);
    return await joinInto(folder, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw fromFileSystem(error);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function joinInto(folder: string, options: JoinOptions): Promise<JoinResult> {
  const { parts, framesPerSecond, outputDirectory, signal } = options;
  const report = options.onProgress ?? (() => {});
  const ffmpegPath = await findFfmpeg({ configured: options.ffmpegPath });
  const run = async (parameters: string[]) => {
    signal?.throwIfAborted();
    const ffmpeg = new Ffmpeg(ffmpegPath, [...quietly, "-y", ...parameters], "report");
    const stop = () => ffmpeg.process.kill("SIGKILL");
    signal?.addEventListener("abort", stop, { once: true });
    try {
      await ffmpeg.exitInTime();
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  };
  await refuseUnlikeCodecs(parts);

  const startFrames: number[] = [];
  const sound: Buffer[] = [];
  let frames = 0;
  let packets = 0;
  for (const [index, { videoPath }] of parts.entries()) {
    signal?.throwIfAborted();
    const frameCount = await countFrames(ffmpegPath, videoPath);
    if (frameCount === 0) throw new RenderError("A clip has no frames.");
    const soundPath = join(folder, `sound-${index}.aac`);
    await run([...ownInputs, "-i", videoPath, "-map", "0:a", "-c", "copy", "-f", "adts", soundPath]);
    const own = adtsFrames(await readFile(soundPath));
    await rm(soundPath);
    const samplesPerFrame = sampleRate / framesPerSecond;
    const held = heldPackets({
      kept: packets,
      available: own.length,
      startSample: frames * samplesPerFrame,
      endSample: (frames + frameCount) * samplesPerFrame,
    });
    sound.push(...own.slice(held.first, held.end));
    packets += held.end - held.first;
    startFrames.push(frames);
    frames += frameCount;
    report((0.6 * (index + 1)) / parts.length);
  }
  const soundPath = join(folder, "sound.aac");
  await writeFile(soundPath, Buffer.concat(sound));
  const listPath = join(folder, "parts.txt");
  await writeFile(listPath, partList(parts, startFrames, frames, framesPerSecond));

  const unfinished = join(folder, joinedFileName);
  const priming = (primingPackets * framesPerPacket) / sampleRate;
  await run([
    // No conversion to Annex B and back, which would change the packets: all parts have the same parameter sets. Timestamps are copied:
    // else the priming of the first part would also be taken for the start of its picture.
    "-copyts",
    ...["-protocol_whitelist", "file,pipe", "-f", "concat", "-safe", "0", "-auto_convert", "0", "-i", listPath],
    ...["-itsoffset", (-priming).toFixed(6), ...ownInputs, "-f", "aac", "-i", soundPath],
    ...["-map", "0:v", "-map", "1:a", "-c", "copy", "-bsf:a", "aac_adtstoasc"],
    ...["-map_metadata", "-1", "-fflags", "+bitexact", "-movflags", "+faststart", "-f", "mp4", unfinished],
  ]);
  report(0.9);
  const written = await countFrames(ffmpegPath, unfinished);
  if (written !== frames) throw new RenderError(`The video has ${written} frames instead of ${frames}.`);
  const { size: bytes } = await stat(unfinished);
  await rename(unfinished, join(outputDirectory, joinedFileName));
  report(1);
  return {
    bytes,
    frameCount: frames,
    durationSeconds: frames / framesPerSecond,
    startSeconds: startFrames.map((start) => start / framesPerSecond),
  };
}

async function refuseUnlikeCodecs(parts: readonly JoinPart[]): Promise<void> {
  const [first, ...others] = await Promise.all(parts.map(({ videoPath }) => readCodecs(videoPath)));
  if (!first) throw new RenderError("There is nothing to join.");
  for (const other of others) {
    if (!other.video.equals(first.video) || !other.audio.equals(first.audio)) throw new RenderError(codecsDiffer);
  }
}

/** Input of the concat demuxer. The durations set where each part begins, whatever its container's length. */
function partList(
  parts: readonly JoinPart[],
  startFrames: readonly number[],
  frames: number,
  framesPerSecond: number,
): string {
  const lines = parts.flatMap(({ videoPath }, index) => {
    const length = (startFrames[index + 1] ?? frames) - (startFrames[index] ?? 0);
    const quoted = videoPath.replaceAll("'", "'\\''");
    return [`file '${quoted}'`, `duration ${(length / framesPerSecond).toFixed(6)}`];
  });
  return `ffconcat version 1.0\n${lines.join("\n")}\n`;
}
