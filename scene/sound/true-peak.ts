import * as checkedReads from "../../replay/checked-reads.ts";

// Copied, because some module formats look imports up again at every use: these are in innermost loops.
const { float32At, float64At } = checkedReads;

/** Points looked at from one sample to the next, the sample itself among them. */
const oversampling = 4;
/** Samples on either side that decide the wave between two. */
const reach = 6;

/** Weights of the samples around each point between two samples: a sinc under a Hann window. */
const betweens: readonly Float64Array[] = Array.from({ length: oversampling - 1 }, (_, point) =>
  interpolation((point + 1) / oversampling),
);

function interpolation(part: number): Float64Array {
  const weights = Float64Array.from({ length: 2 * reach }, (_, index) => {
    const distance = index - (reach - 1) - part;
    const sinc = Math.sin(Math.PI * distance) / (Math.PI * distance);
    return sinc * Math.cos((Math.PI * distance) / (2 * (reach + 0.5))) ** 2;
  });
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => weight / sum);
}

/**
 * The highest level that the wave reaches from one sample up to the next, as a true-peak meter sees it (four times
 * oversampled, ITU-R BS.1770-4 annex 2).
 */
export function peakFrom(channel: Float32Array, index: number): number {
  let peak = Math.abs(float32At(channel, index));
  const first = index - (reach - 1);
  const from = Math.max(0, -first);
  const until = Math.min(2 * reach, channel.length - first);
  for (const weights of betweens) {
    let level = 0;
    for (let tap = from; tap < until; tap++) level += float32At(channel, first + tap) * float64At(weights, tap);
    peak = Math.max(peak, Math.abs(level));
  }
  return peak;
}

/** The true peak of a channel; 1 is full scale. */
export function truePeak(channel: Float32Array): number {
  let peak = 0;
  for (let index = 0; index < channel.length; index++) peak = Math.max(peak, peakFrom(channel, index));
  return peak;
}
