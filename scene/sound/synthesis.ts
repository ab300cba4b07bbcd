import * as checkedReads from "../../replay/checked-reads.ts";

// Copied, because some module formats look up an import at every use, and these are in inner loops.
const { float32At } = checkedReads;

/** Samples per second of every sound of a clip. */
export const sampleRate = 48_000;

/**
 * A sound of a clip, synthesised: no recordings of the game. Mono at `sampleRate`, with its peak at 1, and the same on every machine (its
 * noise comes from a seeded generator).
 */
export type Voice = Float32Array;

/** Noise in -1..1 that repeats with its seed (xorshift32). */
export function seededNoise(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2_147_483_648 - 1;
  };
}

/** `seconds` of samples, computed from their times; ends in a fade of 5 ms so that it never clicks, and peaks at 1. */
export function voice(seconds: number, sampleAt: (time: number) => number): Voice {
  const samples = new Float32Array(Math.round(seconds * sampleRate));
  const fade = Math.min(samples.length, 0.005 * sampleRate);
  let peak = 0;
  for (let index = 0; index < samples.length; index++) {
    samples[index] = sampleAt(index / sampleRate) * Math.min(1, (samples.length - index) / fade);
    peak = Math.max(peak, Math.abs(float32At(samples, index)));
  }
  return samples.map((sample) => sample / peak);
}

type Filter = (sample: number) => number;

/** One-pole low pass. */
export function lowPass(cutoffHertz: number): Filter {
  const share = 1 - Math.exp((-2 * Math.PI * cutoffHertz) / sampleRate);
  let held = 0;
  return (sample) => {
    held += share * (sample - held);
    return held;
  };
}

/** Two-pole high pass without resonance: what a phone's speaker does to everything. */
export function highPass(cutoffHertz: number): Filter {
  const [first, second] = [lowPass(cutoffHertz), lowPass(cutoffHertz)];
  return (sample) => {
    const once = sample - first(sample);
    return once - second(once);
  };
}

/** Two-pole band pass, 1 at its centre (RBJ's audio EQ cookbook); `width` is the band's over its centre. */
export function bandPass(centreHertz: number, width: number): Filter {
  const turn = (2 * Math.PI * centreHertz) / sampleRate;
  const alpha = (Math.sin(turn) * width) / 2;
  const gain = alpha / (1 + alpha);
  const back1 = (2 * Math.cos(turn)) / (1 + alpha);
  const back2 = (1 - alpha) / (1 + alpha);
  let in1 = 0;
  let in2 = 0;
  let out1 = 0;
  let out2 = 0;
  return (sample) => {
    const out = gain * (sample - in2) + back1 * out1 - back2 * out2;
    in2 = in1;
    in1 = sample;
    out2 = out1;
    out1 = out;
    return out;
  };
}

export const sine = (hertz: number, time: number) => Math.sin(2 * Math.PI * hertz * time);

/** Sine whose pitch falls from `from` to `to` hertz at `rate` a second (exponentially). */
export function fallingSine(from: number, to: number, rate: number, time: number): number {
  // The phase is the integral of the frequency.
  return Math.sin(2 * Math.PI * (to * time + ((from - to) / rate) * (1 - Math.exp(-rate * time))));
}
