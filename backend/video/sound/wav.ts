import { float32At } from "../../../replay/checked-reads.ts";
import type { StereoSound } from "../../../scene/sound/master.ts";
import { sampleRate } from "../../../scene/sound/synthesis.ts";

/** A WAV file: 16 bit, stereo, 48 kHz. */
export function encodeWav({ left, right }: StereoSound): Buffer {
  const header = 44;
  const bytes = left.length * 4;
  const file = Buffer.alloc(header + bytes);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(header - 8 + bytes, 4);
  file.write("WAVEfmt ", 8, "latin1");
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(2, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * 4, 28);
  file.writeUInt16LE(4, 32);
  file.writeUInt16LE(16, 34);
  file.write("data", 36, "latin1");
  file.writeUInt32LE(bytes, 40);
  const samples = new Int16Array(file.buffer, file.byteOffset + header, left.length * 2);
  for (let index = 0; index < left.length; index++) {
    samples[2 * index] = sixteenBits(float32At(left, index));
    samples[2 * index + 1] = sixteenBits(float32At(right, index));
  }
  return file;
}

function sixteenBits(sample: number): number {
  return Math.max(-32768, Math.min(32767, Math.round(sample * 32767)));
}
