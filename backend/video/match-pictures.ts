import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { ClipSpec } from "../../replay/clip-spec.ts";
import type { PlayerIndex } from "../../replay/match-record.ts";
import type { ReplayTrack } from "../../replay/replay-track.ts";
import { createCanvasPainterCache, type PainterContext, paintDisplayList, type Relief } from "../../scene/index.ts";
import { packGround } from "../../scene/packed-ground.ts";
import { createCanvas } from "./canvas.ts";
import { decisiveFrame } from "./decisive-moment.ts";
import { encodePictureFile } from "./picture-file.ts";
import { openScene, writtenTexts } from "./render-clip.ts";
import { openSpriteBakery } from "./sprite-bakery.ts";

/** The moment of a still. */
export interface StillMoment {
  /** The picture's name in the file. */
  name: string;
  round: number;
  player: PlayerIndex;
  /** Tick of the kill or defuse that completes a highlight. */
  tick: number;
}

/** Name of the file with a match's pictures, in the output directory. */
export const picturesFile = "pictures.bin";

/** Stills are drawn at this size, and also stored at half of it. */
const drawn = { width: 1280, height: 720 };
const still = { width: 640, height: 360 };
const stillQuality = 78;
/** JPEG quality of the map, which should look like the video's in the preview. */
const groundQuality = 90;
const smallGroundQuality = 80;
/** Played before and after the moment, so that trails, tracers and camera are as in a clip. */
const secondsBefore = 1.5;
const secondsAfter = 0.75;

/**
 * Renders the pictures of a match: a still of each moment in 16:9 without panels, the floors of its ground, at full and at half size, and
 * the packed ground itself, gzipped.
 * @param options.withGround false for stills only
 * @returns a file of `encodePictureFile`
 */
export async function drawMatchPictures(
  track: ReplayTrack,
  relief: Relief,
  moments: readonly StillMoment[],
  { withGround, onProgress }: { withGround: boolean; onProgress: (progress: number) => void },
): Promise<Buffer> {
  const pictures = withGround ? await groundPictures(track, relief) : new Map<string, Uint8Array>();
  onProgress(0.1);

  const wide = createCanvas(drawn.width, drawn.height);
  const small = createCanvas(still.width, still.height);
  const context = small.getContext("2d");
  context.imageSmoothingQuality = "high";
  let cache: ReturnType<typeof createCanvasPainterCache> | undefined;
  for (const [index, moment] of moments.entries()) {
    const spec = specAround(moment, track);
    const bakery = await openSpriteBakery(writtenTexts(track, spec));
    cache ??= createCanvasPainterCache((width, height) => createCanvas(width, height), bakery.kit);
    const scene = openScene(track, spec, bakery, relief);
    // Moments outside the track have no picture.
    if (scene.frameCount > 0) {
      const list = scene.picture(decisiveFrame(scene, track, spec));
      paintDisplayList(wide.getContext("2d") as unknown as PainterContext, list, cache);
      context.drawImage(wide, 0, 0, still.width, still.height);
      pictures.set(moment.name, small.encodeSync("webp", stillQuality));
    }
    onProgress(0.1 + (0.9 * (index + 1)) / moments.length);
  }
  return encodePictureFile(pictures);
}

async function groundPictures(track: ReplayTrack, relief: Relief): Promise<Map<string, Uint8Array>> {
  const pictures = new Map<string, Uint8Array>();
  pictures.set("ground.bin", await promisify(gzip)(packGround(relief, track.footprints, track.record), { level: 9 }));
  for (const [floor, { image }] of relief.floors.entries()) {
    const whole = createCanvas(image.width, image.height);
    const context = whole.getContext("2d");
    const pixels = context.createImageData(image.width, image.height);
    pixels.data.set(image.rgba);
    context.putImageData(pixels, 0, 0);
    pictures.set(`floor-${floor}.webp`, whole.encodeSync("webp", groundQuality));
    const half = createCanvas(image.width / 2, image.height / 2);
    half.getContext("2d").drawImage(whole, 0, 0, half.width, half.height);
    pictures.set(`floor-${floor}-small.webp`, half.encodeSync("webp", smallGroundQuality));
  }
  return pictures;
}

function specAround({ round, player, tick }: StillMoment, { record }: ReplayTrack): ClipSpec {
  const startTick = tick - secondsBefore * record.tickRate;
  const endTick = tick + secondsAfter * record.tickRate;
  return {
    version: 1,
    segments: [
      {
        round,
        player,
        startTick,
        endTick,
        captions: [{ startTick, endTick, label: "", reason: "", player, momentTicks: [tick] }],
      },
    ],
    settings: { xray: true, hud: false, radar: false, killfeed: false, highlightInfo: false, watermark: false },
    title: "",
    ...drawn,
    framesPerSecond: 30,
  };
}
