import type { Image } from "@napi-rs/canvas";
import type { MeasureText, Sprite, SpriteContext, SpriteKit } from "../../scene/display-list.ts";
import { cleanText, type SceneCanvas } from "../../scene/index.ts";
import { createCanvas, Path2D } from "./canvas.ts";
import { emojiPicture, preloadEmoji } from "./emoji.ts";
import { ensureGlyphs } from "./load-fonts.ts";

/** Bakes sprites of the scene on the server: @napi-rs/canvas with our own fonts and emoji. */
export interface SpriteBakery {
  /** Font families for the scene, in order. */
  fontFamilies: string[];
  kit: SpriteKit;
  measureText: MeasureText;
  createCanvas(width: number, height: number): SceneCanvas;
  /** Premultiplied RGBA of a sprite, row by row; valid until the next call. */
  bakeSprite(sprite: Sprite): Uint8Array;
}

/** Variable fonts would otherwise be drawn at their lightest; static ones (Rajdhani) ignore it. */
const variableWeight = "'wght' 600";

const paths = new Map<string, InstanceType<typeof Path2D>>();

/** Prepares baking for a scene that may contain these texts (names, titles, captions). */
export async function openSpriteBakery(
  texts: readonly string[],
  avatars: ReadonlyMap<number, Image> = new Map(),
): Promise<SpriteBakery> {
  const written = texts.flatMap((text) => [text, cleanText(text)]);
  const fontFamilies = ensureGlyphs(written);
  await preloadEmoji(written);
  const kit: SpriteKit = {
    path(svg) {
      let path = paths.get(svg);
      if (!path) {
        path = new Path2D(svg);
        paths.set(svg, path);
      }
      return path as unknown as globalThis.Path2D;
    },
    emoji: (cluster) => emojiPicture(cluster) as unknown as CanvasImageSource | null,
    avatar: (player) => (avatars.get(player) ?? null) as unknown as CanvasImageSource | null,
  };
  const ruler = createCanvas(8, 8).getContext("2d");
  ruler.fontVariationSettings = variableWeight;
  return {
    fontFamilies,
    kit,
    createCanvas: (width, height) => createCanvas(width, height) as unknown as SceneCanvas,
    measureText(text, font) {
      ruler.font = font;
      return { width: ruler.measureText(text).width };
    },
    bakeSprite(sprite) {
      const canvas = createCanvas(sprite.width, sprite.height);
      const context = canvas.getContext("2d");
      context.fontVariationSettings = variableWeight;
      sprite.paint(context as unknown as SpriteContext, kit);
      return canvas.data();
    },
  };
}
