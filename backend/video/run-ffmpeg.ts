import { type ChildProcess, spawn } from "node:child_process";
import { type ChildEnd, childEnd, describeEnd, systemOomKills } from "../children/child-end.ts";
import { reportsDiskFull } from "../storage/disk-full.ts";
import { interruptedCode, noSpaceLeft, RenderError } from "./render-error.ts";

/** Shorter than the render process may be silent, so that this reason is reported. */
const maxPatienceMs = 45_000;

/** The first arguments of every ffmpeg: it reads only from us. */
export const quietly = ["-hide_banner", "-nostdin", "-loglevel", "error"];
/** Before each input: no file of ours can send ffmpeg to an address. */
export const ownInputs = ["-protocol_whitelist", "file,pipe"];

/** Raw YUV 4:2:0 frames of BT.709, limited range, chroma centred in its four pixels. */
export function rawVideoInput(from: string, width: number, height: number, framesPerSecond: number): string[] {
  return [
    ...["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", `${width}x${height}`],
    ...["-r", String(framesPerSecond), ...ownInputs, "-i", from],
  ];
}

/** One run of ffmpeg; it ends at the latest when the patience of its caller does. */
export class Ffmpeg {
  readonly process: ChildProcess;
  /** Resolves when it succeeds; rejects with a RenderError in plain words. */
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
    // A broken pipe only follows from ffmpeg's end, whose message says more.
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
    // Handled by those who await it.
    this.exit.catch(() => {});
  }

  /** Waits for its end, with a time limit. @throws RenderError */
  async exitInTime(): Promise<void> {
    const stopWaiting = this.killUnlessStopped();
    try {
      await this.exit;
    } finally {
      stopWaiting();
    }
  }

  /**
   * Waits for its end while it progresses, according to a `report` with -progress.
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
  if (reportsDiskFull(end.words)) return noSpaceLeft();
  return new RenderError(
    `The video encoder ${describeEnd(end)}`,
    end.cause === "interrupted" ? interruptedCode : undefined,
  );
}
