/** Converts the luma of a video's frame (16..235) to that of a screen (0..255). */
export function lumaOfVideo(luma: Uint8Array): Uint8Array {
  return luma.map((value) => Math.max(0, Math.min(255, Math.round(((value - 16) * 255) / 219))));
}

/**
 * SSIM of two pictures' luma (Wang et al. 2004): the mean over windows of 8 × 8 pixels that begin at every fourth pixel, as in ffmpeg's
 * filter. 1 means the same picture.
 */
export function similarity(a: Uint8Array, b: Uint8Array, width: number, height: number): number {
  const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];
  const side = 8;
  const pixels = side * side;
  let sum = 0;
  let windows = 0;
  for (let top = 0; top + side <= height; top += 4) {
    for (let left = 0; left + side <= width; left += 4) {
      let [sumA, sumB, squareA, squareB, product] = [0, 0, 0, 0, 0];
      for (let y = top; y < top + side; y++) {
        for (let at = y * width + left; at < y * width + left + side; at++) {
          const [valueA, valueB] = [a[at] ?? 0, b[at] ?? 0];
          sumA += valueA;
          sumB += valueB;
          squareA += valueA * valueA;
          squareB += valueB * valueB;
          product += valueA * valueB;
        }
      }
      const [meanA, meanB] = [sumA / pixels, sumB / pixels];
      const varianceA = squareA / pixels - meanA * meanA;
      const varianceB = squareB / pixels - meanB * meanB;
      const covariance = product / pixels - meanA * meanB;
      sum +=
        ((2 * meanA * meanB + c1) * (2 * covariance + c2)) /
        ((meanA * meanA + meanB * meanB + c1) * (varianceA + varianceB + c2));
      windows++;
    }
  }
  return sum / windows;
}
