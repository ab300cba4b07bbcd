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
import { countFrames, VideoEncoder } from "./encode.ts";
import { findFfmpeg } from "./ffmpeg.ts";
import { fromFileSystem, RenderError } from "./render-error.ts";
import { encodeWav } from "./sound/wav.ts";
import { openSpriteBakery, type SpriteBakery } from "./sprite-bakery.ts";
import { writePoster } from "./write-poster.ts";

export interface RenderOptions {
  track: ReplayTrack;
  spec: ClipSpec;
  /** Avatars of its players, as far as there are any. */
  avatars?: readonly AvatarFile[];
  /** False: no thumbnail and no poster in 16:9, for a format that lists and links do not show. */
  hasListPictures?: boolean;
  /** A relief from `buildClipRelief` for this track and size, to save drawing it. */
  relief?: Relief | undefined;
  /** Must exist; gets `video.mp4`, `poster.jpg`, `thumbnail.jpg`, and for an upright clip `wide-poster.jpg`. One render at a time. */
  outputDirectory: string;
  /** FFMPEG_PATH, if it is set. */
  ffmpegPath?: string | undefined;
  /** 0..1 */
  onProgress?: (progress: number) => void;
  signal?: AbortSignal | undefined;
}

export interface RenderResult {
  videoPath: string;
  /** In the shape of the video. */
  posterPath: string;
  /** The 16:9 poster of an upright clip; null if the poster itself is in 16:9. */
  widePosterPath: string | null;
  /** In 16:9; null without pictures for lists. */
  thumbnailPath: string | null;
  durationSeconds: number;
  frameCount: number;
  /** Size of the video. */
  bytes: number;
  /** Times of events in the video. */
  moments: ClipMoment[];
}

/** Folder of unfinished files in the output directory; it may be deleted when no render runs. */
export const workFolder = ".rendering";

/** Files that a render writes to the output directory. */
export const renderedFiles = {
  video: "video.mp4",
  poster: "poster.jpg",
  widePoster: "wide-poster.jpg",
  thumbnail: "thumbnail.jpg",
};

/** Paths of those files. */
export const pathsIn = (folder: string) => ({
  video: join(folder, renderedFiles.video),
  poster: join(folder, renderedFiles.poster),
  widePoster: join(folder, renderedFiles.widePoster),
  thumbnail: join(folder, renderedFiles.thumbnail),
});

/** Frames between painter and encoder: enough that short delays of one do not hold up the other. */
const frameBuffers = 4;
/** Share of the progress for preparation and finishing. */
const preparation = 0.05;
const finishing = 0.03;
/** The longer side of the poster, for link previews and the clip's page. */
const posterPixels = 1280;
const widePoster = { width: 1280, height: 720 };
/** For lists, where a phone on a slow line loads several. */
const thumbnailPixels = 640;

/**
 * Renders a clip: video (H.264 High, AAC, fast start), posters and thumbnail (JPEG). They get their names only when all are complete; a
 * failure leaves nothing behind.
 * A pure function of track, spec and avatars: the same clip has the same frames and samples on every machine.
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

/** A clip's scene and what is needed to paint it. */
export interface PreparedClip {
  scene: ClipScene;
  painter: YuvPainter;
}

/** The part of a scene that an encoder uses. */
export type FrameSource = Pick<ClipScene, "frameCount" | "frame">;

/** Optional inputs of a scene besides track and spec. */
export interface SceneExtras {
  avatars?: readonly AvatarFile[] | undefined;
  /** Saves building the map of the match again. */
  relief?: Relief | undefined;
}

/** Loads fonts, emoji and avatars, builds the scene and a painter for it. */
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

/** All texts of the clip that contain players' own characters. */
export function writtenTexts({ record, footprints }: ReplayTrack, spec: ClipSpec): string[] {
  return [
    spec.title,
    ...record.players.map((player) => player.name),
    ...record.teams.map((team) => team.name),
    ...(footprints.places?.names ?? []),
    ...spec.segments.flatMap(({ captions }) => captions.flatMap(({ label, reason }) => [label, reason])),
  ];
}

async function renderInto(folder: string, options: RenderOptions): Promise<RenderResult> {
  const { track, outputDirectory, signal, hasListPictures = true } = options;
  const spec = heldSpec(options.spec, track);
  const report = options.onProgress ?? (() => {});
  signal?.throwIfAborted();
  const ffmpegPath = await findFfmpeg({ configured: options.ffmpegPath });
  const relief = options.relief ?? buildClipRelief(track, spec);
  const clip = await prepareClip(track, spec, { avatars: options.avatars, relief });
  const { frameCount } = clip.scene;
  report(preparation / 2);
  const soundtrackPath = join(folder, "sound.wav");
  await writeFile(soundtrackPath, encodeWav(composeSoundtrack(track, spec, frameCount)));
  signal?.throwIfAborted();
  report(preparation);

  const pictures = await paintPictures(clip, track, spec, relief, hasListPictures);
  const unfinished = pathsIn(folder);
  const encoder = new VideoEncoder({
    ffmpegPath,
    width: spec.width,
    height: spec.height,
    framesPerSecond: spec.framesPerSecond,
    soundtrackPath,
    outputPath: unfinished.video,
  });
  const outcomes = await Promise.allSettled([
    ...pictures.map((picture) => writePicture(picture, unfinished[picture.file], ffmpegPath)),
    encodeFrames(clip, encoder, (done) => report(preparation + (1 - preparation - finishing) * done), signal),
  ]);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  signal?.throwIfAborted();
  const written = await countFrames(ffmpegPath, unfinished.video);
  if (written !== frameCount) throw new RenderError(`The video has ${written} frames instead of ${frameCount}.`);
  const { size: bytes } = await stat(unfinished.video);

  const finished = pathsIn(outputDirectory);
  for (const { file } of pictures) await rename(unfinished[file], finished[file]);
  await rename(unfinished.video, finished.video);
  report(1);
  const pathOf = (file: ClipPicture["file"]) =>
    pictures.some((picture) => picture.file === file) ? finished[file] : null;
  return {
    videoPath: finished.video,
    posterPath: finished.poster,
    widePosterPath: pathOf("widePoster"),
    thumbnailPath: pathOf("thumbnail"),
    durationSeconds: frameCount / spec.framesPerSecond,
    frameCount,
    bytes,
    moments: clipMoments(track.record, spec),
  };
}

/** A painted frame with its size in pixels. */
interface RawPicture {
  frame: Uint8Array;
  width: number;
  height: number;
}

/** A picture of a clip, still to be written. */
interface ClipPicture {
  file: Exclude<keyof typeof renderedFiles, "video">;
  painted: RawPicture;
  /** Pixels of the longer side. */
  longerSide: number;
}

/** Paints the clip's decisive moment: in its own shape, and for lists in 16:9. */
async function paintPictures(
  { scene, painter }: PreparedClip,
  track: ReplayTrack,
  spec: ClipSpec,
  relief: Relief,
  hasListPictures: boolean,
): Promise<ClipPicture[]> {
  const { width, height } = spec;
  // A copy, since the encoder's first frames are painted into the same memory.
  const frame = painter.paint(scene.picture(decisiveFrame(scene, track, spec)), 0).slice();
  const own: RawPicture = { frame, width, height };
  const poster: ClipPicture = { file: "poster", painted: own, longerSide: posterPixels };
  if (!hasListPictures) return [poster];
  if (height <= width) return [poster, { file: "thumbnail", painted: own, longerSide: thumbnailPixels }];
  const wide = await paintWidePoster(track, spec, relief);
  return [
    poster,
    { file: "widePoster", painted: wide, longerSide: posterPixels },
    { file: "thumbnail", painted: wide, longerSide: thumbnailPixels },
  ];
}

async function writePicture(
  { painted, longerSide }: ClipPicture,
  outputPath: string,
  ffmpegPath: string,
): Promise<void> {
  const { frame, width, height } = painted;
  const pictureWidth = Math.round((longerSide * width) / Math.max(width, height));
  await writePoster(frame, { ffmpegPath, width, height, pictureWidth, outputPath });
}

/** The decisive moment of an upright clip rendered in 16:9: cropping its own poster would leave a strip of the middle. */
async function paintWidePoster(track: ReplayTrack, spec: ClipSpec, relief: Relief): Promise<RawPicture> {
  const wide = landscapeMoment(spec, { ...widePoster, framesPerSecond: spec.framesPerSecond });
  const { scene, painter } = await prepareClip(track, wide, { relief });
  return { ...widePoster, frame: painter.paint(scene.picture(decisiveFrame(scene, track, wide)), 0) };
}

/**
 * Paints all frames and sends them to the encoder. A buffer is painted again only after the encoder has taken its content.
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
      // Awaited when the buffer is used again, or below.
      sent.catch(() => {});
      taken[buffer] = sent;
      if (index % 8 === 0) onProgress(index / scene.frameCount);
      // The pipe is written, and messages are read, only while this thread is not painting.
      await new Promise(setImmediate);
    }
    await Promise.all(taken);
    await encoder.finish();
  } catch (error) {
    await encoder.abort();
    throw error;
  }
}
