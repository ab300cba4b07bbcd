import { type ChildProcess, spawn } from "node:child_process";

export interface EncodeOptions {
  ffmpegPath: string;
  /** Frame size in pixels. */
  width: number;
  height: number;
  framesPerSecond: number;
  /** WAV file, exactly as long as the video. */
  soundtrackPath: string;
  /** Written from scratch; not complete before `finish` has resolved. */
  outputPath: string;
  /** Encoder threads. */
  threads?: number;
}

/** Rendering failed for a reason worth telling; the message is one sentence. */
export class RenderError extends Error {
  /** ENOSPC when the disk is full, as file operations say it. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/**
 * x264 settings found by measuring: as quick as "ultrafast" to within a quarter, at a third of its size, because the
 * cheap tools that it switches off (CABAC, 8×8 transform, deblocking, B-frames) are on again.
 */
const x264Settings = [
  "cabac=1:8x8dct=1:no-deblock=0:deblock=0,0",
  "b-adapt=0:scenecut=0:keyint=180:bframes=3",
  "subme=1:aq-mode=1",
].join(":");

/** Raw YUV 4:2:0 frames of BT.709, limited range, chroma in the middle of its four pixels. */
function rawVideoInput(from: string, width: number, height: number, framesPerSecond: number): string[] {
  return [
    ...["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", `${width}x${height}`],
    ...["-r", String(framesPerSecond), "-i", from],
  ];
}

/** Arguments of ffmpeg for a clip; `frames` is where the raw frames come from (the benchmark has them in a file). */
export function encoderArguments(options: Omit<EncodeOptions, "ffmpegPath">, frames = "pipe:0"): string[] {
  const { width, height, framesPerSecond, threads = 2 } = options;
  return [
    ...["-hide_banner", "-loglevel", "error", "-y"],
    ...rawVideoInput(frames, width, height, framesPerSecond),
    ...["-i", options.soundtrackPath, "-map", "0:v", "-map", "1:a"],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-crf", "23", "-x264-params", x264Settings],
    ...["-profile:v", "high", "-pix_fmt", "yuv420p", "-threads", String(threads)],
    ...["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"],
    ...["-chroma_sample_location", "center"],
    ...["-c:a", "aac", "-b:a", "128k", "-ar", "48000", "-ac", "2"],
    // Neither the encoder's version nor the date: the same clip is the same file.
    ...["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact"],
    ...["-movflags", "+faststart", "-f", "mp4", options.outputPath],
  ];
}

/** ffmpeg fed with frames through a pipe. */
export class VideoEncoder {
  readonly #process: ChildProcess;
  readonly #exit: Promise<void>;
  #fault: Error | null = null;

  constructor(options: EncodeOptions) {
    this.#process = spawn(options.ffmpegPath, encoderArguments(options), { stdio: ["pipe", "ignore", "pipe"] });
    this.#exit = exitOf(this.#process);
    this.#exit.catch((error: Error) => {
      this.#fault = error;
    });
    // A broken pipe is only the echo of ffmpeg's own end, whose message says more.
    this.#process.stdin?.on("error", () => {});
  }

  /**
   * Sends one frame. Resolves when the encoder has taken all of it: only then may its memory be written again.
   * @throws RenderError with ffmpeg's own words when it has ended.
   */
  async write(frame: Uint8Array): Promise<void> {
    if (this.#fault) throw this.#fault;
    await new Promise<void>((resolve, reject) => {
      this.#process.stdin?.write(frame, (error) => (error ? reject(error) : resolve()));
    }).catch(async () => {
      await this.#exit;
      throw new RenderError("The video encoder ended before it had all frames.");
    });
  }

  /** Ends the stream and resolves when the file is complete. */
  async finish(): Promise<void> {
    this.#process.stdin?.end();
    await this.#exit;
  }

  /** Kills ffmpeg and resolves when it is gone. What it wrote is left for the caller to delete. */
  async abort(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#exit.catch(() => {});
  }
}

/**
 * Counts the frames of a finished video by reading it from end to end (without decoding).
 * @throws RenderError when it cannot be read
 */
export async function countFrames(ffmpegPath: string, videoPath: string): Promise<number> {
  const child = spawn(
    ffmpegPath,
    [
      ...["-hide_banner", "-loglevel", "error", "-nostats", "-progress", "pipe:1"],
      ...["-i", videoPath, "-map", "0:v", "-c", "copy", "-f", "null", "-"],
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let report = "";
  child.stdout?.setEncoding("utf8");
  child.stdout?.on("data", (chunk: string) => {
    report += chunk;
  });
  await exitOf(child);
  return Number([...report.matchAll(/^frame=\s*(\d+)/gm)].at(-1)?.[1] ?? 0);
}

/** Resolves when a child has ended well. @throws RenderError in plain words. */
function exitOf(child: ChildProcess): Promise<void> {
  let words = "";
  child.stderr?.setEncoding("utf8");
  child.stderr?.on("data", (chunk: string) => {
    words = (words + chunk).slice(-4000);
  });
  return new Promise((resolve, reject) => {
    child.on("error", (error) => reject(new RenderError(`ffmpeg cannot be started: ${error.message}.`)));
    child.on("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(encoderFault(words, code, signal));
    });
  });
}

function encoderFault(words: string, code: number | null, signal: string | null): RenderError {
  if (/No space left on device/i.test(words)) {
    return new RenderError("There is no space left on the disk.", "ENOSPC");
  }
  const last = words.trim().split("\n").slice(-3).join(" / ");
  const end = signal ? `was ended by ${signal}` : `ended with code ${code}`;
  return new RenderError(`The video encoder ${end}${last ? `: ${last}` : "."}`);
}

interface PosterOptions {
  ffmpegPath: string;
  /** Of the frame. */
  width: number;
  height: number;
  /** Of the picture, in pixels; its height follows. */
  pictureWidth: number;
  outputPath: string;
}

/**
 * Writes one raw frame as a JPEG.
 * @throws RenderError with ffmpeg's own words.
 */
export async function writePoster(
  frame: Uint8Array,
  { ffmpegPath, width, height, pictureWidth, outputPath }: PosterOptions,
): Promise<void> {
  const scaled = `scale=${pictureWidth}:-2:in_color_matrix=bt709:in_range=tv:out_color_matrix=bt601:out_range=pc`;
  const child = spawn(
    ffmpegPath,
    [
      ...["-hide_banner", "-loglevel", "error", "-y"],
      ...rawVideoInput("pipe:0", width, height, 1),
      // JPEG is full range and BT.601 by definition. Quality 7 takes a third off 3 and shows no difference on a phone.
      ...["-vf", `${scaled},format=yuvj420p`],
      ...[
        "-frames:v",
        "1",
        "-c:v",
        "mjpeg",
        "-q:v",
        "7",
        "-huffman",
        "optimal",
        "-flags:v",
        "+bitexact",
        "-f",
        "image2",
        outputPath,
      ],
    ],
    { stdio: ["pipe", "ignore", "pipe"] },
  );
  child.stdin?.on("error", () => {});
  child.stdin?.end(frame);
  await exitOf(child);
}
