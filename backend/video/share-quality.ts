/** Target format of a video that has to fit into a number of bytes. */
export interface ShareQuality {
  /** The shorter side of the picture in pixels; smaller pictures are not enlarged. */
  shortSide: number;
  framesPerSecond: number;
  videoKilobits: number;
  audioKilobits: number;
  audioChannels: 1 | 2;
}

type Step = Omit<ShareQuality, "videoKilobits"> & { fromKilobits: number };

/**
 * From best to smallest; the first that leaves `fromKilobits` per second for the picture is taken. With fewer, motion smears at that size,
 * and the next step shows more. Decision 116 has the resulting lengths.
 */
const shareSteps: readonly Step[] = [
  { shortSide: 720, framesPerSecond: 60, audioKilobits: 128, audioChannels: 2, fromKilobits: 2000 },
  { shortSide: 720, framesPerSecond: 30, audioKilobits: 96, audioChannels: 2, fromKilobits: 1000 },
  { shortSide: 540, framesPerSecond: 30, audioKilobits: 64, audioChannels: 2, fromKilobits: 450 },
  { shortSide: 360, framesPerSecond: 30, audioKilobits: 48, audioChannels: 1, fromKilobits: 200 },
  { shortSide: 360, framesPerSecond: 15, audioKilobits: 24, audioChannels: 1, fromKilobits: 0 },
];

/** Allowance for the encoder missing its average; if it misses by more, the file is encoded again. */
const kept = 0.97;
/** Bytes in an mp4's index for each frame of picture and sound. */
const indexBytesOfFrame = 16;
const soundFramesPerSecond = 48_000 / 1024;
const fixedBytes = 8000;

/**
 * How to make a video of this length fit.
 * @throws RangeError when not even the smallest step fits
 */
export function shareQuality(durationSeconds: number, maxBytes: number): ShareQuality {
  for (const { fromKilobits, ...step } of shareSteps) {
    const index = indexBytesOfFrame * durationSeconds * (step.framesPerSecond + soundFramesPerSecond) + fixedBytes;
    const kilobits = (8 * (maxBytes - index) * kept) / durationSeconds / 1000 - step.audioKilobits;
    if (kilobits >= Math.max(fromKilobits, 1)) return { ...step, videoKilobits: Math.floor(kilobits) };
  }
  throw new RangeError(`${durationSeconds} s of video do not fit into ${maxBytes} bytes.`);
}
