import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VideoEncoder } from "../encode.ts";
import { encodeWav } from "../sound/wav.ts";

/** Samples at 48 kHz between the beginnings of two beeps; the first one comes after half of that. */
export const beepEvery = 24_000;

export interface BeepingVideo {
  outputPath: string;
  width: number;
  height: number;
  /** At 60 per second. */
  frames: number;
  hertz: number;
  /** Brightness of the first picture, 0 to 255. */
  shade: number;
}

/** Encodes a video with the product's own encoder: its picture changes and its sound beeps twice a second. */
export async function encodeBeeping({ outputPath, width, height, frames, hertz, shade }: BeepingVideo): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "beeping-"));
  try {
    const samples = new Float32Array(frames * 800);
    for (let index = 0; index < samples.length; index++) {
      const at = (index + beepEvery / 2) % beepEvery;
      if (index >= beepEvery / 2 && at < 1000) samples[index] = 0.5 * Math.sin((2 * Math.PI * hertz * at) / 48_000);
    }
    const soundtrackPath = join(folder, "sound.wav");
    writeFileSync(soundtrackPath, encodeWav({ left: samples, right: samples }));
    const encoder = new VideoEncoder({
      ...{ ffmpegPath: "ffmpeg", width, height, framesPerSecond: 60, soundtrackPath, outputPath },
    });
    const frame = new Uint8Array((width * height * 3) / 2).fill(128);
    for (let index = 0; index < frames; index++) {
      for (let pixel = 0; pixel < width * height; pixel++) frame[pixel] = 16 + ((shade + pixel + index * 3) % 200);
      await encoder.write(frame);
    }
    await encoder.finish();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
