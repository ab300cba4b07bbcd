import { rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { limits } from "../../contract/limits.ts";
import type { ClipSpec } from "../../replay/clip-spec.ts";
import { heldSpec } from "../../replay/held-spec.ts";
import type { ReplayTrack } from "../../replay/replay-track.ts";
import type { Relief } from "../../scene/index.ts";
import { decisiveFrame, landscapeMoment } from "./decisive-moment.ts";
import { findFfmpeg } from "./ffmpeg.ts";
import { prepareClip } from "./render-clip.ts";
import { fromFileSystem, RenderError } from "./render-error.ts";
import { Ffmpeg, quietly, rawVideoInput } from "./run-ffmpeg.ts";

export interface LoopOptions {
  track: ReplayTrack;
  /** The clip's spec, in any format. */
  spec: ClipSpec;
  /** In the clip's own size. */
  relief: Relief;
  /** Must exist; gets `loop.mp4`. */
  outputDirectory: string;
  /** FFMPEG_PATH, if it is set. */
  ffmpegPath?: string | undefined;
  /** 0..1 */
  onProgress?: (progress: number) => void;
  signal?: AbortSignal | undefined;
}

export const loopFileName = "loop.mp4";

/** Small, since a page shows several. */
const loopFormat = { width: 640, height: 360, framesPerSecond: 30, seconds: 3 };
const frameCount = loopFormat.framesPerSecond * loopFormat.seconds;
/** Frames before the decisive moment: enough to see who aims at whom. */
const leadFrames = 50;
/** The last frames dissolve into those before the first, so that nothing jumps when it restarts. */
const fadeFrames = 9;

/** Slower and smaller than the video: many pages show it, and nobody waits for it. The rate limits the file's size. */
const encoding = [
  ...["-c:v", "libx264", "-preset", "medium", "-crf", "26", "-maxrate", "850k", "-bufsize", "400k"],
  ...["-profile:v", "high", "-pix_fmt", "yuv420p", "-g", String(frameCount), "-threads", "2"],
  ...["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"],
  ...["-chroma_sample_location", "center"],
  ...["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"],
];

/**
 * Renders three seconds around a clip's decisive moment in 16:9, without panels, which would be unreadable at this size: a silent video
 * whose end leads back to its beginning. It gets its name only when it is complete.
 * A pure function of track, relief and spec, as the clip is.
 * @returns its size in bytes
 * @throws RenderError, FfmpegMissingError, or the signal's reason
 */
export async function makeLoop(options: LoopOptions): Promise<{ bytes: number }> {
  const { track, outputDirectory, signal } = options;
  const unfinished = join(outputDirectory, "loop-unfinished.mp4");
  try {
    const ffmpegPath = await findFfmpeg({ configured: options.ffmpegPath });
    const spec = landscapeMoment(heldSpec(options.spec, track), loopFormat);
    const frames = await paintLoop(track, spec, options);
    const ffmpeg = new Ffmpeg(
      ffmpegPath,
      [
        ...[...quietly, "-y"],
        ...rawVideoInput("pipe:0", loopFormat.width, loopFormat.height, loopFormat.framesPerSecond),
        ...[...encoding, "-an", "-movflags", "+faststart", "-f", "mp4", unfinished],
      ],
      "frames",
    );
    const stop = () => ffmpeg.process.kill("SIGKILL");
    signal?.addEventListener("abort", stop, { once: true });
    try {
      ffmpeg.process.stdin?.end(frames);
      await ffmpeg.exitInTime();
    } finally {
      signal?.removeEventListener("abort", stop);
    }
    const { size: bytes } = await stat(unfinished);
    if (bytes > limits.loopBytes) throw new RenderError(`The loop has ${bytes} bytes.`);
    await rename(unfinished, join(outputDirectory, loopFileName));
    options.onProgress?.(1);
    return { bytes };
  } catch (error) {
    signal?.throwIfAborted();
    throw fromFileSystem(error);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** All frames, one after the other. If the part is too short its last frame is repeated. */
async function paintLoop(
  track: ReplayTrack,
  spec: ClipSpec,
  { relief, onProgress, signal }: Pick<LoopOptions, "relief" | "onProgress" | "signal">,
): Promise<Uint8Array> {
  onProgress?.(0);
  const { scene, painter } = await prepareClip(track, spec, { relief });
  onProgress?.(0.1);
  const last = scene.frameCount - 1;
  const first = Math.max(0, Math.min(decisiveFrame(scene, track, spec) - leadFrames, last - frameCount + 1));
  const paint = (index: number) => painter.paint(scene.picture(Math.min(Math.max(index, 0), last)), 0);
  const frames = new Uint8Array(frameCount * painter.frameBytes);
  for (let index = 0; index < frameCount; index++) {
    signal?.throwIfAborted();
    const start = index * painter.frameBytes;
    frames.set(paint(first + index), start);
    const fade = index - (frameCount - 1 - fadeFrames);
    if (fade > 0) {
      const frame = frames.subarray(start, start + painter.frameBytes);
      blend(frame, paint(first + index - frameCount), fade / (fadeFrames + 1));
    }
    onProgress?.(0.1 + (0.8 * index) / frameCount);
    // Messages are only read while this thread is not painting.
    await new Promise(setImmediate);
  }
  return frames;
}

/** @param part share of `over`, 0..1 */
function blend(frame: Uint8Array, over: Uint8Array, part: number): void {
  for (let i = 0; i < frame.length; i++) {
    const own = frame[i] ?? 0;
    frame[i] = Math.round(own + ((over[i] ?? 0) - own) * part);
  }
}
