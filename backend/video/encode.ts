import { type ChildProcess, spawn } from "node:child_process";
import { formatOfSize } from "../../contract/clip-formats.ts";
import { type ChildEnd, childEnd, systemOomKills, writtenEnd } from "../children/child-end.ts";
import { isDiskFull, saysDiskFull } from "../storage/disk-full.ts";
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
  /** If it takes no frame for this long, or does not end after the last, it counts as stuck and is killed. */
  patienceMs?: number;
}

/** `code` of a RenderError that is not about the clip: somebody ended ffmpeg, or it got stuck. */
export const interruptedCode = "INTERRUPTED";

/** Rendering failed for a known reason; the message is one sentence. */
export class RenderError extends Error {
  /** ENOSPC when the disk is full, as in file system errors; or `interruptedCode`. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/** Turns "no space left" errors of the file system into a RenderError; returns all other errors as they are. */
export function fromFileSystem(error: unknown): unknown {
  return isDiskFull(error) && !(error instanceof RenderError) ? noSpaceLeft() : error;
}

function noSpaceLeft(): RenderError {
  return new RenderError("There is no space left on the disk.", "ENOSPC");
}

/**
 * x264 settings found by measuring (decision 021): nearly as quick as "ultrafast" at a third of its size, because the cheap tools that it
 * disables (CABAC, 8×8 transform, deblocking, B-frames) are enabled again.
 */
const x264Settings = [
  "cabac=1:8x8dct=1:no-deblock=0:deblock=0,0",
  "b-adapt=0:scenecut=0:keyint=180:bframes=3",
  // Motion by whole pixels; B-frames of lower quality, and fewer bits shifted to flat ground, make up for its cost.
  "subme=0:pbratio=1.5:aq-mode=1:aq-strength=0.5",
].join(":");

/** Its integer part is in the video's parameter sets: if it changes, compilations cannot join older clips with newer ones. */
const constantRateFactor = "23.5";

/** Shorter than the allowed silence of the render process, so that this error is reported first. */
const maxPatienceMs = 45_000;

/** Start of every ffmpeg command line: its only input comes from us. */
export const quietly = ["-hide_banner", "-nostdin", "-loglevel", "error"];
/** Before each input, so that none of our files can make ffmpeg open an address. */
export const ownInputs = ["-protocol_whitelist", "file,pipe"];

/** Raw YUV 4:2:0 frames in BT.709, limited range, with chroma in the centre of its four pixels. */
export function rawVideoInput(from: string, width: number, height: number, framesPerSecond: number): string[] {
  return [
    ...["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", `${width}x${height}`],
    ...["-r", String(framesPerSecond), ...ownInputs, "-i", from],
  ];
}

/** ffmpeg's arguments for a clip; `frames` is the source of the raw frames (a file in the benchmark). */
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
    // With fewer bits, or with the tools that are disabled here, a shot's click would overshoot full scale (decision 114).
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
    // Leaves out the encoder's version and the date, so that the same clip is the same file.
    ...["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact"],
    ...["-movflags", "+faststart", "-f", "mp4", options.outputPath],
  ];
}

/** An ffmpeg process that receives frames through a pipe. */
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
   * @throws RenderError with ffmpeg's own words when it has ended, or saying that it got stuck.
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
 * Counts the frames of a finished video by reading it to the end (without decoding).
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

/** One run of ffmpeg, with a deadline for each wait. */
export class Ffmpeg {
  readonly process: ChildProcess;
  /** Resolves when it ends successfully; rejects with a RenderError in plain words. */
  readonly exit: Promise<void>;
  readonly #patienceMs: number;
  #stoodStill = false;

  /** @param use `frames` are written to its input, a `report` is read from its output */
  constructor(path: string, parameters: string[], use: "frames" | "report", patienceMs = maxPatienceMs) {
    this.#patienceMs = patienceMs;
    const oomKillsBefore = systemOomKills();
    const child = spawn(path, parameters, {
      stdio: use === "frames" ? ["pipe", "ignore", "pipe"] : ["ignore", "pipe", "pipe"],
    });
    this.process = child;
    // A broken pipe only means that ffmpeg has ended, and its own message says more.
    child.stdin?.on("error", () => {});
    let words = "";
    child.stderr?.setEncoding("utf8");
    child.stderr?.on("data", (chunk: string) => {
      words = (words + chunk).slice(-4000);
    });
    this.exit = new Promise((resolve, reject) => {
      child.on("error", (error) => reject(new RenderError(`ffmpeg cannot be started: ${error.message}.`)));
      child.on("close", (code, signal) => {
        if (this.#stoodStill) reject(new RenderError("The video encoder stood still.", interruptedCode));
        else if (code === 0) resolve();
        else reject(encoderFault(childEnd(code, signal, words, oomKillsBefore)));
      });
    });
    // Errors are reported to whoever awaits `exit`.
    this.exit.catch(() => {});
  }

  /** Waits for its end, with a deadline. @throws RenderError */
  async exitInTime(): Promise<void> {
    const stopWaiting = this.killUnlessStopped();
    try {
      await this.exit;
    } finally {
      stopWaiting();
    }
  }

  /**
   * Waits for its end as long as it makes progress, which a `report` with -progress tells.
   * @param onFrames called with the number of finished frames
   * @throws RenderError
   */
  async exitReporting(onFrames: (frames: number) => void): Promise<void> {
    let stopWaiting = this.killUnlessStopped();
    let furthest = -1;
    this.process.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const frames = Number([...text.matchAll(/^frame=\s*(\d+)/gm)].at(-1)?.[1] ?? 0);
      if (frames <= furthest) return;
      furthest = frames;
      stopWaiting();
      stopWaiting = this.killUnlessStopped();
      onFrames(frames);
    });
    try {
      await this.exit;
    } finally {
      stopWaiting();
    }
  }

  /** Kills it unless the returned function is called in time. */
  killUnlessStopped(): () => void {
    const timer = setTimeout(() => {
      this.#stoodStill = true;
      this.process.kill("SIGKILL");
    }, this.#patienceMs);
    return () => clearTimeout(timer);
  }
}

function encoderFault(end: ChildEnd): RenderError {
  if (saysDiskFull(end.words)) return noSpaceLeft();
  return new RenderError(
    `The video encoder ${writtenEnd(end)}`,
    end.cause === "interrupted" ? interruptedCode : undefined,
  );
}

interface PosterOptions {
  ffmpegPath: string;
  /** Of the frame. */
  width: number;
  height: number;
  /** Width of the picture in pixels; its height follows. */
  pictureWidth: number;
  outputPath: string;
  patienceMs?: number;
}

/**
 * Writes a raw frame as a JPEG.
 * @throws RenderError with ffmpeg's own words.
 */
export async function writePoster(
  frame: Uint8Array,
  { ffmpegPath, width, height, pictureWidth, outputPath, patienceMs }: PosterOptions,
): Promise<void> {
  const scaled = `scale=${pictureWidth}:-2:in_color_matrix=bt709:in_range=tv:out_color_matrix=bt601:out_range=pc`;
  const ffmpeg = new Ffmpeg(
    ffmpegPath,
    [
      ...[...quietly, "-y"],
      ...rawVideoInput("pipe:0", width, height, 1),
      // JPEG is full range and BT.601 by definition. Quality 7 is a third smaller than 3, without a visible difference on a phone.
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
    "frames",
    patienceMs,
  );
  ffmpeg.process.stdin?.end(frame);
  await ffmpeg.exitInTime();
}
