import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClipSpec } from "../../replay/clip-spec.ts";
import { heldSpec } from "../../replay/held-spec.ts";
import type { ReplayTrack } from "../../replay/replay-track.ts";
import { type ClipMoment, clipMoments } from "../../scene/clip-moments.ts";
import { buildClipRelief, type ClipScene, createClipScene, type Relief } from "../../scene/index.ts";
import { composeSoundtrack } from "../../scene/sound/soundtrack.ts";
import { type AvatarFile, readAvatars } from "./avatars.ts";
import { YuvPainter } from "./compositor/yuv-painter.ts";
import { decisiveFrame, landscapeMoment } from "./decisive-moment.ts";
import { countFrames, fromFileSystem, RenderError, VideoEncoder, writePoster } from "./encode.ts";
import { findFfmpeg } from "./ffmpeg.ts";
import { encodeWav } from "./sound/wav.ts";
import { openSpriteBakery, type SpriteBakery } from "./sprite-bakery.ts";

export interface RenderOptions {
  track: ReplayTrack;
  spec: ClipSpec;
  /** Pictures of its players, as far as available. */
  avatars?: readonly AvatarFile[];
  /** False for formats that lists and links do not show: no thumbnail and no poster in 16:9. */
  hasListPictures?: boolean;
  /** Saves drawing it; from `buildClipRelief` for this track and size. */
  relief?: Relief | undefined;
  /**
   * An existing folder that receives `video.mp4`, `poster.jpg`, `thumbnail.jpg`, and for an upright clip `wide-poster.jpg`. One render at a
   * time.
   */
  outputDirectory: string;
  /** FFMPEG_PATH, if it is set. */
  ffmpegPath?: string | undefined;
  /** 0..1 */
  onProgress?: (progress: number) => void;
  signal?: AbortSignal | undefined;
}

export interface RenderResult {
  videoPath: string;
  /** In the aspect ratio of the video. */
  posterPath: string;
  /** The poster of an upright clip in 16:9; null if the poster itself has that. */
  widePosterPath: string | null;
  /** In 16:9; null without pictures for lists. */
  thumbnailPath: string | null;
  durationSeconds: number;
  frameCount: number;
  /** Size of the video. */
  bytes: number;
  /** What the video shows when. */
  moments: ClipMoment[];
}

/** Folder of temporary files in the output directory; without a running render it may be deleted. */
export const workFolder = ".rendering";

/** Names of a render's files in the output directory. */
export const renderedFiles = {
  video: "video.mp4",
  poster: "poster.jpg",
  widePoster: "wide-poster.jpg",
  thumbnail: "thumbnail.jpg",
};

/** Paths of a render's files. */
export const pathsIn = (folder: string) => ({
  video: join(folder, renderedFiles.video),
  poster: join(folder, renderedFiles.poster),
  widePoster: join(folder, renderedFiles.widePoster),
  thumbnail: join(folder, renderedFiles.thumbnail),
});

/** Frames between painter and encoder: enough that neither waits for the other's hiccups. */
const frameBuffers = 4;
/** Share of the progress for preparing and finishing. */
const preparation = 0.05;
const finishing = 0.03;
/** The longer side of the picture for link previews and for the clip's page. */
const posterPixels = 1280;
const widePoster = { width: 1280, height: 720 };
/** For lists, where a phone on a slow connection loads several. */
const thumbnailPixels = 640;

/**
 * Renders a clip: video (H.264 High, AAC, fast start), posters and thumbnail (JPEG). They appear under their names only when all are
 * complete; a failure leaves nothing. A pure function of track, spec and avatars: the same clip has the same frames and samples on every
 * machine.
 * @throws RenderError, FfmpegMissingError, or the signal's reason
 */
export async function renderClip(options: RenderOptions): Promise<RenderResult> {
  const folder = join(options.outputDirectory, workFolder);
  await rm(folder, { recursive: true, force: true });
  try {
    await mkdir(folder);
    return await renderInto(folder, options);
  } catch (error) {
    throw fromFileSystem(error);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** A clip's scene with everything needed to paint it. */
export interface PreparedClip {
  scene: ClipScene;
  painter: YuvPainter;
}

/** The part of a scene that an encoder needs. */
export type FrameSource = Pick<ClipScene, "frameCount" | "frame">;

/** Inputs of a scene besides track and spec. */
export interface SceneExtras {
  avatars?: readonly AvatarFile[] | undefined;
  /** Saves building the map of the match again. */
  relief?: Relief | undefined;
}

/** Opens fonts, emoji and avatars, builds the scene and a painter for it. */
export async function prepareClip(
  track: ReplayTrack,
  spec: ClipSpec,
  { avatars = [], relief }: SceneExtras = {},
): Promise<PreparedClip> {
  const bakery = await openSpriteBakery(writtenTexts(track, spec), await readAvatars(avatars));
  const scene = openScene(track, spec, bakery, relief);
  if (scene.frameCount === 0) throw new RenderError("The clip is empty.");
  const painter = new YuvPainter({
    width: spec.width,
    height: spec.height,
    buffers: frameBuffers,
    bakeSprite: bakery.bakeSprite,
  });
  return { scene, painter };
}

/** The scene of a clip with the server's fonts, emoji and canvas; `relief` saves building the map of its match again. */
export function openScene(track: ReplayTrack, spec: ClipSpec, bakery: SpriteBakery, relief?: Relief): ClipScene {
  return createClipScene(track, spec, {
    width: spec.width,
    height: spec.height,
    measureText: bakery.measureText,
    createCanvas: bakery.createCanvas,
    kit: bakery.kit,
    fontFamilies: bakery.fontFamilies,
    ...(relief && { relief }),
  });
}

/** Every text in the clip that depends on its players or their names. */
export function writtenTexts({ record, footprints }: ReplayTrack, spec: ClipSpec): string[] {
  return [
    spec.title,
    ...record.players.map((player) => player.name),
    ...record.teams.map((team) => team.name),
    ...(footprints.places?.names ?? []),
    ...spec.segments.flatMap(({ captions }) => captions.flatMap(({ label, reason }) => [label, reason])),
  ];
}

/** A frame from the painter, with its size in pixels. */
interface RawPicture {
  frame: Uint8Array;
  width: number;
  height: number;
}

async function renderInto(folder: string, options: RenderOptions): Promise<RenderResult> {
  const { track, outputDirectory, signal } = options;
  const spec = heldSpec(options.spec, track);
  const report = options.onProgress ?? (() => {});
  signal?.throwIfAborted();
  const ffmpegPath = await findFfmpeg({ configured: options.ffmpegPath });
  const relief = options.relief ?? buildClipRelief(track, spec);
  const { scene, painter } = await prepareClip(track, spec, { avatars: options.avatars, relief });
  report(preparation / 2);
  const soundtrackPath = join(folder, "sound.wav");
  await writeFile(soundtrackPath, encodeWav(composeSoundtrack(track, spec, scene.frameCount)));
  signal?.throwIfAborted();
  report(preparation);

  const size = { width: spec.width, height: spec.height };
  const isUpright = spec.height > spec.width;
  // Copied, since the encoder's first frames are painted into the same memory.
  const own: RawPicture = {
    ...size,
    frame: painter.paint(scene.picture(decisiveFrame(scene, track, spec)), 0).slice(),
  };
  const { hasListPictures = true } = options;
  const hasWidePoster = hasListPictures && isUpright;
  const wide = hasWidePoster ? await paintWidePoster(track, spec, relief) : own;
  const unfinished = pathsIn(folder);
  const picture = ({ frame, width, height }: RawPicture, outputPath: string, longerSide: number) => {
    const pictureWidth = Math.round((longerSide * width) / Math.max(width, height));
    return writePoster(frame, { ffmpegPath, width, height, pictureWidth, outputPath });
  };
  const outcomes = await Promise.allSettled([
    picture(own, unfinished.poster, posterPixels),
    ...(hasWidePoster ? [picture(wide, unfinished.widePoster, posterPixels)] : []),
    ...(hasListPictures ? [picture(wide, unfinished.thumbnail, thumbnailPixels)] : []),
    encodeFrames(
      { scene, painter },
      new VideoEncoder({
        ffmpegPath,
        ...size,
        framesPerSecond: spec.framesPerSecond,
        soundtrackPath,
        outputPath: unfinished.video,
      }),
      (done) => report(preparation + (1 - preparation - finishing) * done),
      signal,
    ),
  ]);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  signal?.throwIfAborted();
  const written = await countFrames(ffmpegPath, unfinished.video);
  if (written !== scene.frameCount) {
    throw new RenderError(`The video has ${written} frames instead of ${scene.frameCount}.`);
  }
  const { size: bytes } = await stat(unfinished.video);
  const finished = pathsIn(outputDirectory);
  await rename(unfinished.poster, finished.poster);
  if (hasWidePoster) await rename(unfinished.widePoster, finished.widePoster);
  if (hasListPictures) await rename(unfinished.thumbnail, finished.thumbnail);
  await rename(unfinished.video, finished.video);
  report(1);
  return {
    videoPath: finished.video,
    posterPath: finished.poster,
    widePosterPath: hasWidePoster ? finished.widePoster : null,
    thumbnailPath: hasListPictures ? finished.thumbnail : null,
    durationSeconds: scene.frameCount / spec.framesPerSecond,
    frameCount: scene.frameCount,
    bytes,
    moments: clipMoments(track.record, spec),
  };
}

/** The decisive moment of an upright clip in 16:9, drawn anew: the poster itself, cropped to 16:9, would be a strip of the middle. */
async function paintWidePoster(track: ReplayTrack, spec: ClipSpec, relief: Relief): Promise<RawPicture> {
  const wide = landscapeMoment(spec, { ...widePoster, framesPerSecond: spec.framesPerSecond });
  const { scene, painter } = await prepareClip(track, wide, { relief });
  return { ...widePoster, frame: painter.paint(scene.picture(decisiveFrame(scene, track, wide)), 0) };
}

/**
 * Paints all frames and hands them to the encoder. A buffer is painted again only when the encoder has taken its previous contents.
 * @throws the encoder's RenderError, or the signal's reason; the encoder has ended then
 */
export async function encodeFrames(
  { scene, painter }: { scene: FrameSource; painter: YuvPainter },
  encoder: VideoEncoder,
  onProgress: (progress: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  const taken: Promise<void>[] = [];
  try {
    for (let index = 0; index < scene.frameCount; index++) {
      const buffer = index % frameBuffers;
      await taken[buffer];
      signal?.throwIfAborted();
      const sent = encoder.write(painter.paint(scene.frame(index), buffer));
      // Errors surface when the buffer is needed again, or below.
      sent.catch(() => {});
      taken[buffer] = sent;
      if (index % 8 === 0) onProgress(index / scene.frameCount);
      // Writing to the pipe and reading messages only happen while this thread is not painting.
      await new Promise(setImmediate);
    }
    await Promise.all(taken);
    await encoder.finish();
  } catch (error) {
    await encoder.abort();
    throw error;
  }
}
