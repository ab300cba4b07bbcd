/** Y, U and V of a picture as fractional bytes, BT.709 limited range: the reference for painted frames. */
export interface YuvPlanes {
  luma: Float64Array;
  /** U and V at half resolution, one after the other. */
  chroma: Float64Array;
}

/** From opaque RGBA; chroma is the mean of 2 × 2 pixels. */
export function planesOfRgba(rgba: Uint8ClampedArray | Uint8Array, width: number, height: number): YuvPlanes {
  const luma = new Float64Array(width * height);
  const quarter = (width * height) / 4;
  const chroma = new Float64Array(2 * quarter).fill(128);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = 4 * (y * width + x);
      const [red, green, blue] = [rgba[at]! / 255, rgba[at + 1]! / 255, rgba[at + 2]! / 255];
      const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      luma[y * width + x] = 16 + 219 * light;
      const half = (y >> 1) * (width / 2) + (x >> 1);
      chroma[half]! += (224 * (blue - light)) / 1.8556 / 4;
      chroma[quarter + half]! += (224 * (red - light)) / 1.5748 / 4;
    }
  }
  return { luma, chroma };
}

/** From a planar YUV 4:2:0 frame. */
export function planesOfFrame(frame: Uint8Array, width: number, height: number): YuvPlanes {
  return {
    luma: Float64Array.from(frame.subarray(0, width * height)),
    chroma: Float64Array.from(frame.subarray(width * height)),
  };
}

/** Sum of absolute differences. */
export function distance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += Math.abs(a[index]! - b[index]!);
  return sum;
}
