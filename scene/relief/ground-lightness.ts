import type { Place } from "../sight.ts";
import type { Relief } from "./build-relief.ts";
import { groundSquash, mapX, mapY } from "./projection.ts";

/** Points looked at, across and down. */
const looks = { across: 17, down: 5 };

/**
 * How light the picture of the ground is around a place, 0 (black) to 1: the lightest quarter of it, for that is where
 * light letters are lost.
 * @param reach world units to each side, across the picture and down it
 */
export function groundLightness(
  { projection, floors }: Relief,
  floor: number,
  place: Place,
  reach: { across: number; down: number },
): number {
  const image = floors[floor]?.image;
  if (!image) return 0;
  const found: number[] = [];
  const { rgbaStep = 1 } = image;
  const columns = Math.ceil(image.width / rgbaStep);
  const middle = { x: mapX(projection, place.x), y: mapY(projection, place.y, place.z) };
  for (let row = 0; row < looks.down; row++) {
    for (let column = 0; column < looks.across; column++) {
      const across = reach.across * ((2 * column) / (looks.across - 1) - 1) * projection.scale;
      const down = reach.down * ((2 * row) / (looks.down - 1) - 1) * projection.scale * groundSquash;
      const x = Math.round(middle.x + across);
      const y = Math.round(middle.y + down);
      if (x < 0 || y < 0 || x >= image.width || y >= image.height) continue;
      const at = (Math.floor(y / rgbaStep) * columns + Math.floor(x / rgbaStep)) * 4;
      const [red = 0, green = 0, blue = 0] = image.rgba.subarray(at, at + 3);
      found.push((0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255);
    }
  }
  found.sort((a, b) => b - a);
  const lightest = found.slice(0, Math.max(1, Math.ceil(found.length / 4)));
  return lightest.reduce((sum, lightness) => sum + lightness, 0) / lightest.length || 0;
}
