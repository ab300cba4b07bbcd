import { formatOfSize } from "../../contract/clip-formats.ts";
import { RenderError } from "./render-error.ts";
import { Ffmpeg, ownInputs, quietly, rawVideoInput } from "./run-ffmpeg.ts";
import { sizeLimits } from "./size-limits.ts";

export interface EncodeOptions {
  ffmpegPath: string;
  /** Frame size in pixels. */
  width: number;
  height: number;
  framesPerSecond: number;
  /** WAV file, exactly as long as the video. */
  soundtrackPath: string;
  /** Overwritten; not complete before `finish` has resolved. */
  outputPath: string;
  /** Encoder threads. */
  threads?: number;
  /** It is killed if it takes no frame, or does not end after the last, for this long. */
  patienceMs?: number;
}

/**
 * x264 settings found by measuring (decision 021): nearly as fast as "ultrafast" at a third of its size, because the cheap tools that it
 * switches off (CABAC, 8×8 transform, deblocking, B-frames) are on again.
 */
const x264Settings = [
  "cabac=1:8x8dct=1:no-deblock=0:deblock=0,0",
  "b-adapt=0:scenecut=0:keyint=180:bframes=3",
  // Motion by whole pixels; B-frames of lower quality and less shifting of bits to flat areas make up for its cost.
  "subme=0:pbratio=1.5:aq-mode=1:aq-strength=0.5",
].join(":");

/** The video's parameter sets contain its integer part: if that changes, compilations cannot join older clips with newer ones. */
const constantRateFactor = "23.5";

/** Arguments of ffmpeg for a clip; `frames` is the source of raw frames (a file in the benchmark). */
export function encoderArguments(options: Omit<EncodeOptions, "ffmpegPath">, frames = "pipe:0"): string[] {
  const { width, height, framesPerSecond, threads = 2 } = options;
  const { videoKilobits } = sizeLimits[formatOfSize(options)];
  return [
    ...[...quietly, "-y"],
    ...rawVideoInput(frames, width, height, framesPerSecond),
    ...[...ownInputs, "-i", options.soundtrackPath, "-map", "0:v", "-map", "1:a"],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-crf", constantRateFactor, "-x264-params", x264Settings],
    ...["-maxrate", `${videoKilobits}k`, "-bufsize", `${2 * videoKilobits}k`],
    ...["-profile:v", "high", "-pix_fmt", "yuv420p", "-threads", String(threads)],
    ...["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"],
    ...["-chroma_sample_location", "center"],
    // With fewer bits, or the tools that are switched off here, a shot's click overshoots full scale (decision 114).
    ...[
      "-c:a",
      "aac",
      "-aac_coder",
      "fast",
      "-aac_tns",
      "0",
      "-aac_pns",
      "0",
      "-b:a",
      "192k",
      "-ar",
      "48000",
      "-ac",
      "2",
    ],
    // Without the encoder's version and the date, the same clip is the same file.
    ...["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact"],
    ...["-movflags", "+faststart", "-f", "mp4", options.outputPath],
  ];
}

/** An ffmpeg that gets frames through a pipe. */
export class VideoEncoder {
  readonly #ffmpeg: Ffmpeg;
  #fault: Error | null = null;

  constructor(options: EncodeOptions) {
    this.#ffmpeg = new Ffmpeg(options.ffmpegPath, encoderArguments(options), "frames", options.patienceMs);
    this.#ffmpeg.exit.catch((error: Error) => {
      this.#fault = error;
    });
  }

  /**
   * Sends one frame. Resolves when the encoder has taken all of it: only then may its memory be overwritten.
   * @throws RenderError with ffmpeg's own words when it has ended, or when it did not progress
   */
  async write(frame: Uint8Array): Promise<void> {
    if (this.#fault) throw this.#fault;
    const stopWaiting = this.#ffmpeg.killUnlessStopped();
    try {
      await new Promise<void>((resolve, reject) => {
        this.#ffmpeg.process.stdin?.write(frame, (error) => (error ? reject(error) : resolve()));
      });
    } catch {
      await this.#ffmpeg.exit;
      throw new RenderError("The video encoder ended before it had all frames.");
    } finally {
      stopWaiting();
    }
  }

  /** Ends the stream and resolves when the file is complete. @throws RenderError as `write` */
  async finish(): Promise<void> {
    this.#ffmpeg.process.stdin?.end();
    await this.#ffmpeg.exitInTime();
  }

  /** Kills ffmpeg and resolves when it is gone. The caller deletes its output. */
  async abort(): Promise<void> {
    this.#ffmpeg.process.kill("SIGKILL");
    await this.#ffmpeg.exit.catch(() => {});
  }
}

/**
 * Counts the frames of a finished video by reading it from end to end (without decoding).
 * @throws RenderError when it cannot be read
 */
export async function countFrames(ffmpegPath: string, videoPath: string, patienceMs?: number): Promise<number> {
  const ffmpeg = new Ffmpeg(
    ffmpegPath,
    [
      ...[...quietly, "-nostats", "-progress", "pipe:1"],
      ...[...ownInputs, "-i", videoPath, "-map", "0:v", "-c", "copy", "-f", "null", "-"],
    ],
    "report",
    patienceMs,
  );
  let report = "";
  ffmpeg.process.stdout?.setEncoding("utf8");
  ffmpeg.process.stdout?.on("data", (chunk: string) => {
    report += chunk;
  });
  await ffmpeg.exitInTime();
  return Number([...report.matchAll(/^frame=\s*(\d+)/gm)].at(-1)?.[1] ?? 0);
}
