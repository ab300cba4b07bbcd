import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createCanvas } from "../../backend/video/canvas.ts";
import { encoderArguments, VideoEncoder } from "../../backend/video/encode.ts";
import { encodeFrames, prepareClip, writtenTexts } from "../../backend/video/render-clip.ts";
import { encodeWav } from "../../backend/video/sound/wav.ts";
import { openSpriteBakery } from "../../backend/video/sprite-bakery.ts";
import type { ClipSpec } from "../../replay/clip-spec.ts";
import type { ReplayTrack } from "../../replay/replay-track.ts";
import { createCanvasPainterCache, type PainterContext, paintDisplayList } from "../../scene/index.ts";
import { composeSoundtrack } from "../../scene/sound/soundtrack.ts";

/** Frames per second of the three ways in one round. They take turns, so that a busy machine slows all of them. */
export interface WayRates {
  /** ffmpeg with exactly a render's arguments, and frames from a raw file in the page cache. */
  encodingAlone: number;
  /** Our renderer: painted as YUV and piped. */
  rendering: number;
  /** The common way: drawn on a canvas (Skia), read back as RGBA and piped; ffmpeg converts. */
  canvasWay: number;
}

/** Limit of the raw frames to compare, which are in the page cache. */
const comparedBytes = 600 * 1024 ** 2;
/** The canvas way is several times slower. */
const canvasFrames = 60;
const roundCount = 5;

const framesPerSecond = async (frames: number, run: () => unknown) => {
  const start = performance.now();
  await run();
  return frames / ((performance.now() - start) / 1000);
};

/**
 * Renders the beginning of a clip in all ways, round by round.
 * @returns every round's rates; frames per second of painting alone; SSIM (0..1) between our video and the painted frames
 */
export async function compareWays(given: {
  track: ReplayTrack;
  spec: ClipSpec;
  folder: string;
  ffmpegPath: string;
}): Promise<{ rounds: WayRates[]; painting: number; similarity: number }> {
  const { track, spec, folder, ffmpegPath } = given;
  const { scene, painter } = await prepareClip(track, spec);
  const frameBytes = (spec.width * spec.height * 3) / 2;
  const frameCount = Math.min(Math.floor(comparedBytes / frameBytes), scene.frameCount);
  const soundtrackPath = join(folder, "sound.wav");
  writeFileSync(soundtrackPath, encodeWav(composeSoundtrack(track, spec, frameCount)));
  const options = { ...spec, soundtrackPath, outputPath: join(folder, "video.mp4") };

  const rawPath = join(folder, "frames.yuv");
  const raw = openSync(rawPath, "w");
  for (let index = 0; index < frameCount; index++) writeSync(raw, painter.paint(scene.frame(index), 0));
  closeSync(raw);
  const painting = await framesPerSecond(frameCount, () => {
    for (let index = 0; index < frameCount; index++) painter.paint(scene.frame(index), 0);
  });

  const bakery = await openSpriteBakery(writtenTexts(track, spec));
  const cache = createCanvasPainterCache((width, height) => createCanvas(width, height), bakery.kit);
  const context = createCanvas(spec.width, spec.height).getContext("2d");
  const drawn = (index: number) => {
    paintDisplayList(context as unknown as PainterContext, scene.frame(index), cache);
    return context.getImageData(0, 0, spec.width, spec.height).data;
  };
  drawn(0);

  const rounds: WayRates[] = [];
  for (let round = 0; round < roundCount; round++) {
    const encodingAlone = await framesPerSecond(frameCount, () => {
      const { status, stderr } = spawnSync(ffmpegPath, encoderArguments(options, rawPath), { encoding: "utf8" });
      if (status !== 0) throw new Error(stderr);
    });
    const canvasCount = Math.min(canvasFrames, frameCount);
    const canvasWay = await framesPerSecond(canvasCount, () => encodeDrawn(canvasCount));
    const rendering = await framesPerSecond(frameCount, () =>
      encodeFrames(
        { scene: { frameCount, frame: scene.frame }, painter },
        new VideoEncoder({ ffmpegPath, ...options }),
        () => {},
      ),
    );
    rounds.push({ encodingAlone, rendering, canvasWay });
  }
  const similarity = similarityOf(options.outputPath);
  rmSync(rawPath);
  return { rounds, painting, similarity };

  async function encodeDrawn(count: number): Promise<void> {
    const input = encoderArguments({ ...options, outputPath: join(folder, "canvas.mp4") }).map((argument, at, all) =>
      all[at - 1] === "-pix_fmt" && at < all.indexOf("-i") ? "rgba" : argument,
    );
    const ffmpeg = spawn(ffmpegPath, input, { stdio: ["pipe", "ignore", "inherit"] });
    const exit = once(ffmpeg, "exit");
    for (let index = 0; index < count; index++) {
      if (!ffmpeg.stdin.write(drawn(index))) await once(ffmpeg.stdin, "drain");
    }
    ffmpeg.stdin.end();
    const [status] = await exit;
    if (status !== 0) throw new Error(`ffmpeg ended with ${status}.`);
  }

  function similarityOf(videoPath: string): number {
    const frames = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", `${spec.width}x${spec.height}`, "-r", "60"];
    const compared = ["-i", videoPath, ...frames, "-i", rawPath, "-lavfi", "[0:v][1:v]ssim", "-f", "null", "-"];
    const { stderr } = spawnSync(ffmpegPath, ["-nostdin", ...compared], { encoding: "utf8" });
    const found = Number(/SSIM .*All:([\d.]+)/.exec(stderr)?.[1]);
    if (Number.isNaN(found)) throw new Error(stderr);
    return found;
  }
}
