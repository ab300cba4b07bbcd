import * as checkedReads from "../../replay/checked-reads.ts";
import { sampleRate } from "./synthesis.ts";
import { peakFrom } from "./true-peak.ts";

// Copied, because some module formats look up an import at every use, and these are in inner loops.
const { float32At, float64At, int32At } = checkedReads;

/** Left and right, of one length, -1..1 once mastered. */
export interface StereoSound {
  left: Float32Array;
  right: Float32Array;
}

/** The level to which phones and social networks normalise playback, so nothing has to be turned up. */
const targetLufs = -16;
/** Near enough to the target: the difference is inaudible. */
const tolerance = 0.6;
/** Quiet clips are not amplified beyond this. */
const maxGainDecibels = 16;
/** True peak, full scale 1: -4 dB. AAC overshoots clicks by up to 2.8 dB at its settings (decision 114). */
export const ceiling = 0.63;
const lookAheadSeconds = 0.005;
const releaseSeconds = 0.04;
/** Limiting reduces loudness; later rounds restore it, by more than was lost because they are limited too. */
const maxRounds = 6;
const givenBack = 1.5;

/** Brings a mix to the target loudness and holds its true peaks under the ceiling. Changes the arrays in place. */
export function master(sound: StereoSound): void {
  let room = maxGainDecibels;
  for (let round = 0; round < maxRounds; round++) {
    const loudness = integratedLoudness(sound);
    const missing = Number.isFinite(loudness) ? targetLufs - loudness : 0;
    if (round > 0 && Math.abs(missing) < tolerance) break;
    const decibels = Math.min(room, round > 0 ? missing * givenBack : missing);
    room = Math.max(0, room - decibels);
    amplify(sound, 10 ** (decibels / 20));
    limit(sound);
  }
}

function amplify({ left, right }: StereoSound, gain: number): void {
  for (let index = 0; index < left.length; index++) {
    left[index] = float32At(left, index) * gain;
    right[index] = float32At(right, index) * gain;
  }
}

/**
 * Loudness of the whole in LUFS after ITU-R BS.1770-4 (K weighting, 400 ms blocks, gates at -70 LUFS and 10 LU below
 * the rest). -Infinity for silence or less than one block.
 */
export function integratedLoudness({ left, right }: StereoSound): number {
  const block = Math.round(0.4 * sampleRate);
  const hop = block / 4;
  const hops = Math.floor(left.length / hop);
  const energy = new Float64Array(hops);
  addWeightedEnergy(left, hop, energy);
  addWeightedEnergy(right, hop, energy);
  const powers: number[] = [];
  for (let start = 0; start + 4 <= hops; start++) {
    powers.push(
      (float64At(energy, start) +
        float64At(energy, start + 1) +
        float64At(energy, start + 2) +
        float64At(energy, start + 3)) /
        block,
    );
  }
  const lufs = (power: number) => -0.691 + 10 * Math.log10(power);
  const mean = (list: number[]) => list.reduce((sum, power) => sum + power, 0) / list.length;
  const loud = powers.filter((power) => lufs(power) > -70);
  if (loud.length === 0) return Number.NEGATIVE_INFINITY;
  const gate = lufs(mean(loud)) - 10;
  return lufs(mean(loud.filter((power) => lufs(power) > gate)));
}

/** Energy of each hop after the two filters of BS.1770 (shelf and high pass, coefficients for 48 kHz). */
function addWeightedEnergy(channel: Float32Array, hop: number, energy: Float64Array): void {
  let shelf1 = 0;
  let shelf2 = 0;
  let pass1 = 0;
  let pass2 = 0;
  let index = 0;
  for (let block = 0; block < energy.length; block++) {
    let sum = 0;
    for (const end = index + hop; index < end; index++) {
      const sample = float32At(channel, index);
      const shelf = 1.53512485958697 * sample + shelf1;
      shelf1 = -2.69169618940638 * sample + 1.69065929318241 * shelf + shelf2;
      shelf2 = 1.19839281085285 * sample - 0.73248077421585 * shelf;
      const out = shelf + pass1;
      pass1 = -2 * shelf + 1.99004745483398 * out + pass2;
      pass2 = shelf - 0.99007225036621 * out;
      sum += out * out;
    }
    energy[block] = float64At(energy, block) + sum;
  }
}

/**
 * Keeps the wave under the ceiling, between samples too: the gain is reduced just before a peak and recovers slowly, so
 * that nothing clips and nothing pumps.
 */
function limit({ left, right }: StereoSound): void {
  const length = left.length;
  const reach = Math.round(lookAheadSeconds * sampleRate);
  const release = 1 - Math.exp(-1 / (releaseSeconds * sampleRate));
  const wanted = new Float32Array(length + reach).fill(1);
  let limits = false;
  for (let index = 0; index < length; index++) {
    const peak = Math.max(peakNear(left, index), peakNear(right, index));
    if (peak <= ceiling) continue;
    limits = true;
    // The peak is between this sample and the next, so both are turned down.
    const gain = ceiling / peak;
    wanted[index] = Math.min(float32At(wanted, index), gain);
    wanted[index + 1] = gain;
  }
  if (!limits) return;
  // The lowest gain wanted within the next `reach` samples, found with a monotonic queue.
  const lowest = new Float32Array(length);
  const queue = new Int32Array(length + reach);
  let head = 0;
  let tail = 0;
  for (let index = 0; index < length + reach; index++) {
    while (tail > head && float32At(wanted, int32At(queue, tail - 1)) >= float32At(wanted, index)) tail--;
    queue[tail++] = index;
    const at = index - reach;
    if (at < 0) continue;
    while (int32At(queue, head) < at) head++;
    lowest[at] = float32At(wanted, int32At(queue, head));
  }
  // A running mean over the same reach makes the descent smooth and still in time; a loud beginning starts at a low gain.
  let held = float32At(lowest, 0);
  let sum = reach * held;
  const recent = new Float32Array(reach).fill(held);
  for (let index = 0; index < length; index++) {
    held = Math.min(float32At(lowest, index), held + (1 - held) * release);
    const slot = index % reach;
    sum += held - float32At(recent, slot);
    recent[slot] = held;
    const gain = Math.min(1, sum / reach);
    left[index] = float32At(left, index) * gain;
    right[index] = float32At(right, index) * gain;
  }
}

/** Like `peakFrom`, but only the sample if the wave would have to rise by two thirds between two samples to matter. */
function peakNear(channel: Float32Array, index: number): number {
  const level = Math.abs(float32At(channel, index));
  const next = index + 1 < channel.length ? Math.abs(float32At(channel, index + 1)) : 0;
  return Math.max(level, next) < 0.6 * ceiling ? level : peakFrom(channel, index);
}
