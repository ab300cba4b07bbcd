import { decodeReplayTrack } from "../../replay/decode-track.ts";
import { heldSpec } from "../../replay/held-spec.ts";
import type { ReplayTrack } from "../../replay/replay-track.ts";
import { createCanvasPainterCache, type PainterContext, paintDisplayList } from "../../scene/canvas-painter.ts";
import type { MeasureText, SpriteKit } from "../../scene/display-list.ts";
import type { SceneCanvas } from "../../scene/layers/radar.ts";
import { unpackGround } from "../../scene/packed-ground.ts";
import type { Relief } from "../../scene/relief/build-relief.ts";
import { createSceneOn } from "../../scene/scene-on-relief.ts";
import { secondsBetween } from "./playhead.ts";
import { loadStageFonts } from "./stage-fonts.ts";
import type { FromStage, StageAvatar, StageMoment, StageParts, ToStage } from "./stage-messages.ts";
import { momentsOf } from "./stage-moments.ts";
import { writeAsServer } from "./text-baseline.ts";

/** How often a playing stage reports its position: enough for a slider. */
const tellEveryMs = 80;
/** Size in pixels at which an emoji is drawn. */
const emojiSize = 128;
/** Sampling every fourth pixel of a map's picture is enough to tell how light its ground is. */
const lightnessStep = 4;

/** Draws a clip on a canvas, in a worker or on the page: the same scene that videos are rendered from. */
export function createStage(send: (message: FromStage) => void): (message: ToStage) => void {
  let opened: OpenedStage | null = null;
  let isClosed = false;
  let frame = 0;
  let speed = 1;
  let isPlaying = false;
  let lastTime = 0;
  let toldAt = 0;
  let drawn = -1;
  let painted = 0;
  let position = 0;
  let obeyed = 0;

  const tell = () => send({ type: "frame", frame, isPlaying, painted, obeyed, at: Date.now() });
  const draw = () => {
    if (!opened || frame === drawn) return;
    drawn = frame;
    painted++;
    opened.draw(frame);
  };
  const step = (now: number) => {
    if (!isPlaying || !opened) return;
    const seconds = secondsBetween(lastTime, now);
    lastTime = now;
    position += seconds * speed * opened.framesPerSecond;
    frame = Math.min(opened.frameCount - 1, Math.floor(position));
    if (frame === opened.frameCount - 1) isPlaying = false;
    draw();
    if (!isPlaying || now - toldAt >= tellEveryMs) {
      toldAt = now;
      tell();
    }
    if (isPlaying) nextFrame(step);
  };
  /** The rest of a longer clip is planned while its first picture is looked at. */
  const planAhead = async (stage: OpenedStage) => {
    while (!isClosed && stage.planNext()) await new Promise((resolve) => setTimeout(resolve));
  };
  const open = async (canvas: OffscreenCanvas | HTMLCanvasElement, parts: StageParts) => {
    try {
      opened = await openStage(canvas, parts);
      if (isClosed) return;
      draw();
      const { frameCount, framesPerSecond, moments } = opened;
      send({ type: "opened", frameCount, framesPerSecond, moments });
      void planAhead(opened);
      if (await opened.writeWithAllLetters()) {
        if (isClosed) return;
        drawn = -1;
        draw();
        void planAhead(opened);
      }
      send({ type: "lettered" });
    } catch (error) {
      send({ type: "failed", message: error instanceof Error ? error.message : String(error) });
    }
  };

  return (message) => {
    switch (message.type) {
      case "letters":
        void readLetters(message);
        break;
      case "open":
        void open(message.canvas, message.parts);
        break;
      case "floors":
        void opened?.setFloors(message.floors).then(() => {
          drawn = -1;
          draw();
        });
        break;
      case "avatars":
        void opened?.setAvatars(message.avatars).then(() => {
          drawn = -1;
          draw();
        });
        break;
      case "play":
        obeyed++;
        if (!opened || isPlaying) break;
        if (frame >= opened.frameCount - 1) position = 0;
        isPlaying = true;
        lastTime = performance.now();
        nextFrame(step);
        break;
      case "pause":
        obeyed++;
        isPlaying = false;
        tell();
        break;
      case "seek":
        obeyed++;
        if (!opened) break;
        frame = Math.max(0, Math.min(opened.frameCount - 1, Math.round(message.frame)));
        position = frame;
        draw();
        tell();
        break;
      case "speed":
        speed = message.speed;
        break;
      case "close":
        isClosed = true;
        isPlaying = false;
        opened = null;
        break;
    }
  };
}

/** Loads letters. Rare ones come late: they are many kilobytes, and on a slow line would delay what the first picture needs. */
async function readLetters({ text, isRareToo }: Extract<ToStage, { type: "letters" }>): Promise<void> {
  const { near, far } = loadStageFonts(text);
  await near;
  if (isRareToo) await far?.();
}

/** Some browsers' workers have no animation frames. */
const nextFrame: (step: (now: number) => void) => void =
  typeof requestAnimationFrame === "function"
    ? (step) => requestAnimationFrame(step)
    : (step) => setTimeout(() => step(performance.now()), 1000 / 60);

interface OpenedStage {
  frameCount: number;
  framesPerSecond: number;
  moments: StageMoment[];
  draw(frame: number): void;
  planNext(): boolean;
  setFloors(floors: Blob[]): Promise<void>;
  setAvatars(avatars: StageAvatar[]): Promise<void>;
  /** Waits for fonts that were missing at first. @returns whether the clip has to be drawn again */
  writeWithAllLetters(): Promise<boolean>;
}

/** @throws Error when the browser cannot draw, or the loaded parts cannot be read */
async function openStage(canvas: OffscreenCanvas | HTMLCanvasElement, parts: StageParts): Promise<OpenedStage> {
  canvas.width = parts.spec.width;
  canvas.height = parts.spec.height;
  const context = canvas.getContext("2d", { alpha: false }) as PainterContext | null;
  if (!context) throw new Error("This browser has no canvas to draw on.");
  const ground = unpackGround(new Uint8Array(parts.ground));
  const sliced = decodeReplayTrack(new Uint8Array(parts.track));
  const track: ReplayTrack = { ...sliced, footprints: ground.footprints };
  const spec = heldSpec(parts.spec, track);
  const written = [
    spec.title,
    ...track.record.players.map(({ name }) => name),
    ...track.record.teams.map(({ name }) => name),
  ];
  const pictures = new Map<string, ImageBitmap>();
  const setFloors = async (floors: Blob[]) => {
    const bitmaps = await Promise.all(floors.map((floor) => createImageBitmap(floor)));
    for (const [i, { image }] of ground.floors.entries()) {
      const bitmap = bitmaps[i];
      if (bitmap) replaceBitmap(pictures, image.key, bitmap);
    }
  };
  const fonts = loadStageFonts(written.join(""));
  const far = fonts.far?.() ?? null;
  // On most lines rare letters arrive at once; on a slow one the first picture does not wait for them.
  const [isWhole] = await Promise.all([inTime(far), fonts.near, setFloors(parts.floors)]);
  const relief: Relief = {
    projection: ground.projection,
    floorHeight: ground.floorHeight,
    floors: ground.floors.map(({ grid, image }) => ({
      grid,
      image: { ...image, ...thinned(pictures.get(image.key), image) },
    })),
  };
  const avatars = new Map<number, ImageBitmap>();
  const kit = browserKit(avatars);
  const sceneNow = () =>
    createSceneOn(track, spec, {
      width: spec.width,
      height: spec.height,
      measureText: ruler(),
      createCanvas: (width, height) => createCanvas(width, height) as unknown as SceneCanvas,
      kit,
      relief,
      callouts: ground.callouts,
      isLazy: true,
    });
  let settled: ImageBitmap[] = [];
  const cacheNow = () => {
    for (const bitmap of settled) bitmap.close();
    settled = [];
    const settle = (canvas: object) => settleIn(settled, canvas);
    return createCanvasPainterCache(createSpriteCanvas, kit, { mapPictures: pictures, settle });
  };
  let scene = sceneNow();
  let cache = cacheNow();
  if (scene.frameCount === 0) throw new Error("There is nothing to show.");
  return {
    frameCount: scene.frameCount,
    framesPerSecond: scene.framesPerSecond,
    moments: momentsOf(scene, track, spec),
    draw: (frame) => paintDisplayList(context, scene.frame(frame), cache),
    planNext: () => scene.planNext(),
    setFloors,
    async setAvatars(files) {
      for (const { player, bitmap } of await decodeAvatars(files)) replaceBitmap(avatars, player, bitmap);
      // The old cache has sprites drawn with initials instead of these pictures.
      cache = cacheNow();
    },
    async writeWithAllLetters() {
      if (isWhole) return false;
      await far;
      scene = sceneNow();
      cache = cacheNow();
      return true;
    },
  };
}

/** Closes the previous bitmap at once, since the garbage collector does not see its memory. Drawing code looks bitmaps up each time. */
function replaceBitmap<Key>(bitmaps: Map<Key, ImageBitmap>, key: Key, bitmap: ImageBitmap): void {
  bitmaps.get(key)?.close();
  bitmaps.set(key, bitmap);
}

/** How long the first picture waits for rare letters. */
const lettersWithinMs = 150;

/** Whether something has arrived before the wait is over. */
function inTime(coming: Promise<unknown> | null): Promise<boolean> {
  if (!coming) return Promise.resolve(true);
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, lettersWithinMs, false));
  return Promise.race([coming.then(() => true), late]);
}

function createCanvas(width: number, height: number): OffscreenCanvas | HTMLCanvasElement {
  if (typeof OffscreenCanvas !== "undefined") return new OffscreenCanvas(width, height);
  return Object.assign(document.createElement("canvas"), { width, height });
}

/** For texts, too. */
function createSpriteCanvas(width: number, height: number): OffscreenCanvas | HTMLCanvasElement {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  if (context) writeAsServer(context as CanvasRenderingContext2D);
  return canvas;
}

/** @param settled receives the bitmaps, which are closed together with their cache */
function settleIn(settled: ImageBitmap[], canvas: object): CanvasImageSource {
  const { transferToImageBitmap } = canvas as Partial<OffscreenCanvas>;
  if (!transferToImageBitmap) return canvas as HTMLCanvasElement;
  const bitmap = transferToImageBitmap.call(canvas as OffscreenCanvas);
  settled.push(bitmap);
  return bitmap;
}

function contextOf(canvas: OffscreenCanvas | HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("This browser has no canvas to draw on.");
  return context as CanvasRenderingContext2D;
}

function ruler(): MeasureText {
  const context = contextOf(createCanvas(8, 8));
  return (text, font) => {
    context.font = font;
    return context.measureText(text);
  };
}

/** Some pixels of a map's picture, which tell how light its ground is and the colour of its edge. */
function thinned(picture: CanvasImageSource | undefined, size: { width: number; height: number }) {
  const width = Math.ceil(size.width / lightnessStep);
  const height = Math.ceil(size.height / lightnessStep);
  const context = contextOf(createCanvas(width, height));
  if (picture) context.drawImage(picture, 0, 0, width, height);
  return { rgba: context.getImageData(0, 0, width, height).data, rgbaStep: lightnessStep };
}

/** Decodes the files and drops those that are not pictures. */
async function decodeAvatars(files: readonly StageAvatar[]): Promise<{ player: number; bitmap: ImageBitmap }[]> {
  const decoded = await Promise.all(
    files.map(async ({ player, picture }) => {
      const bitmap = await createImageBitmap(picture).catch(() => null);
      return bitmap ? [{ player, bitmap }] : [];
    }),
  );
  return decoded.flat();
}

/** Emoji are the machine's own; a player without a picture is shown by the first letter of their name. */
function browserKit(avatars: ReadonlyMap<number, ImageBitmap>): SpriteKit {
  const emoji = new Map<string, CanvasImageSource>();
  const paths = new Map<string, Path2D>();
  return {
    path(svg) {
      const path = paths.get(svg) ?? new Path2D(svg);
      paths.set(svg, path);
      return path;
    },
    emoji(cluster) {
      const known = emoji.get(cluster);
      if (known) return known;
      const canvas = createCanvas(emojiSize, emojiSize);
      const context = contextOf(canvas);
      context.font = `${emojiSize * 0.8}px sans-serif`;
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillText(cluster, emojiSize / 2, emojiSize * 0.55);
      emoji.set(cluster, canvas);
      return canvas;
    },
    avatar: (player) => avatars.get(player) ?? null,
  };
}
