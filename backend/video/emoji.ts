import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Image } from "@napi-rs/canvas";
import { splitClusters } from "../../scene/text.ts";
import { loadImage } from "./canvas.ts";

/** Emoji are pictures (Twemoji), since the canvas draws colour fonts blank. */
const pictures = dirname(createRequire(import.meta.url).resolve("@twemoji/svg/package.json"));

/** Size in pixels of a rasterised emoji; larger than any text of a 1080-line frame. */
const pictureSize = 128;

const loaded = new Map<string, Image | null>();

/** Decodes the pictures of all emoji in the texts. Await it before painting: decoding is asynchronous, painting is not. */
export async function preloadEmoji(texts: readonly string[]): Promise<void> {
  const clusters = new Set(texts.flatMap(splitClusters).filter((cluster) => !loaded.has(cluster)));
  await Promise.all(
    [...clusters].map(async (cluster) => {
      const path = picturePath(cluster);
      if (path === null) {
        loaded.set(cluster, null);
        return;
      }
      const svg = await readFile(path, "utf8");
      const sized = svg.replace("<svg ", `<svg width="${pictureSize}" height="${pictureSize}" `);
      loaded.set(cluster, await loadImage(Buffer.from(sized)));
    }),
  );
}

/** The picture of a preloaded emoji, or null. */
export function emojiPicture(cluster: string): Image | null {
  return loaded.get(cluster) ?? null;
}

/** Twemoji names files by code points, without the variation selector unless the emoji is a joined sequence. */
function picturePath(cluster: string): string | null {
  if (/^[\p{L}\p{N}\p{Z}\p{P}]\p{M}*$/u.test(cluster)) return null;
  const points = Array.from(cluster, (character) => (character.codePointAt(0) ?? 0).toString(16));
  const bare = points.filter((point) => point !== "fe0f");
  const candidates = points.includes("200d") ? [points, bare] : [bare, points];
  return candidates.map((name) => join(pictures, `${name.join("-")}.svg`)).find((path) => existsSync(path)) ?? null;
}
