import * as checkedReads from "../../../replay/checked-reads.ts";
import { sampleRate } from "./voices.ts";

// Copied, because some module formats look imports up again at every use: these are in innermost loops.
const { float32At, float64At, int32At } = checkedReads;

/** Left and right, of one length, -1..1 once mastered. */
export interface StereoSound {
  left: Float32Array;
  right: Float32Array;
}

/** Loudness that web players aim below; a clip is neither startling nor faint beside other videos. */
const targetLufs = -20;
/** Quiet clips are not blown up beyond this. */
const maxGainDecibels = 10;
/** -3.7 dB: AAC overshoots the click of a shot by up to 3.3 dB (measured on real matches), and what passes 0 dB crackles. */
const ceiling = 0.65;
const lookAheadSeconds = 0.005;
const releaseSeconds = 0.16;

/** Brings a mix to the target loudness and holds its peaks under the ceiling. Changes the arrays in place. */
export function master(sound: StereoSound): void {
  let room = maxGainDecibels;
  // Limiting takes some loudness away again; a second round gives most of it back.
  for (let round = 0; round < 2; round++) {
    const loudness = integratedLoudness(sound);
    if (Number.isFinite(loudness)) {
      const decibels = Math.min(room, targetLufs - loudness);
      room = Math.max(0, room - decibels);
      amplify(sound, 10 ** (decibels / 20));
    }
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
 * Holds every sample under the ceiling: the gain is turned down a moment before a peak arrives and comes back slowly, so
 * that nothing clips and nothing pumps.
 */
function limit({ left, right }: StereoSound): void {
  const length = left.length;
  const reach = Math.round(lookAheadSeconds * sampleRate);
  const release = 1 - Math.exp(-1 / (releaseSeconds * sampleRate));
  const wanted = new Float32Array(length + reach).fill(1);
  let limits = false;
  for (let index = 0; index < length; index++) {
    const peak = Math.max(Math.abs(float32At(left, index)), Math.abs(float32At(right, index)));
    if (peak > ceiling) {
      wanted[index] = ceiling / peak;
      limits = true;
    }
  }
  if (!limits) return;
  // The lowest gain wanted within the next `reach` samples, by a queue of falling candidates.
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
  // A running mean over the same reach makes the way down smooth and still arrives in time.
  let held = 1;
  let sum = reach;
  const recent = new Float32Array(reach).fill(1);
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
