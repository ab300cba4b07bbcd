import * as checkedReads from "../../../replay/checked-reads.ts";
import { sampleRate } from "../../../scene/sound/synthesis.ts";

// Copied, because some module formats look up imports at every use, and these are in innermost loops.
const { float32At, float64At } = checkedReads;

/** Samples per block: bands are resolved to 12 hertz. */
const blockLength = 4096;

/**
 * A sound's share of energy (0..1) in a band of frequencies, hertz: by the FFT of blocks that overlap by half under a sine window, so that
 * every sample counts the same.
 */
export function bandEnergyShare(samples: Float32Array, fromHertz: number, toHertz: number): number {
  const real = new Float64Array(blockLength);
  const imaginary = new Float64Array(blockLength);
  let band = 0;
  let all = 0;
  for (let start = -blockLength / 2; start < samples.length; start += blockLength / 2) {
    for (let index = 0; index < blockLength; index++) {
      const at = start + index;
      const sample = at >= 0 && at < samples.length ? float32At(samples, at) : 0;
      real[index] = sample * Math.sin((Math.PI * (index + 0.5)) / blockLength);
    }
    imaginary.fill(0);
    transform(real, imaginary);
    for (let bin = 0; bin < blockLength / 2; bin++) {
      const energy = float64At(real, bin) ** 2 + float64At(imaginary, bin) ** 2;
      const hertz = (bin * sampleRate) / blockLength;
      all += energy;
      if (hertz >= fromHertz && hertz < toHertz) band += energy;
    }
  }
  return band / all;
}

/** Fast Fourier transform in place; the length is a power of two. */
function transform(real: Float64Array, imaginary: Float64Array): void {
  const length = real.length;
  for (let index = 1, mirrored = 0; index < length; index++) {
    let bit = length >> 1;
    for (; mirrored & bit; bit >>= 1) mirrored ^= bit;
    mirrored ^= bit;
    if (index >= mirrored) continue;
    swap(real, index, mirrored);
    swap(imaginary, index, mirrored);
  }
  for (let size = 2; size <= length; size *= 2) {
    const half = size / 2;
    for (let offset = 0; offset < half; offset++) {
      const angle = (-2 * Math.PI * offset) / size;
      const cos = Math.cos(angle);
      const sin = Math.sin(angle);
      for (let a = offset; a < length; a += size) {
        const b = a + half;
        const turnedReal = float64At(real, b) * cos - float64At(imaginary, b) * sin;
        const turnedImaginary = float64At(real, b) * sin + float64At(imaginary, b) * cos;
        real[b] = float64At(real, a) - turnedReal;
        imaginary[b] = float64At(imaginary, a) - turnedImaginary;
        real[a] = float64At(real, a) + turnedReal;
        imaginary[a] = float64At(imaginary, a) + turnedImaginary;
      }
    }
  }
}

function swap(list: Float64Array, a: number, b: number): void {
  const held = float64At(list, a);
  list[a] = float64At(list, b);
  list[b] = held;
}
