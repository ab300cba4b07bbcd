import { expect, test } from "vitest";
import { limits } from "../../contract/limits.ts";
import { shareQuality } from "./share-quality.ts";

const ofClip = (seconds: number) => shareQuality(seconds, limits.shareFileBytes);

// Lengths from the table of decision 116.
test.each([
  [5, 720, 60],
  [34, 720, 60],
  [35, 720, 30],
  [66, 720, 30],
  [67, 540, 30],
  [140, 540, 30],
  [141, 360, 30],
  [286, 360, 30],
  [287, 360, 15],
  [limits.clipSeconds, 360, 15],
])("%d s of video are shared in %dp at %d frames a second", (seconds, shortSide, framesPerSecond) => {
  expect(ofClip(seconds)).toMatchObject({ shortSide, framesPerSecond });
});

test("picture and sound of every length together stay below the limit, and take most of it", () => {
  for (let seconds = 2; seconds <= limits.clipSeconds; seconds++) {
    const { videoKilobits, audioKilobits } = ofClip(seconds);
    const bytes = ((videoKilobits + audioKilobits) * 1000 * seconds) / 8;
    expect(bytes, `${seconds} s`).toBeLessThan(limits.shareFileBytes);
    expect(bytes, `${seconds} s`).toBeGreaterThan(0.8 * limits.shareFileBytes);
  }
});

test("the longer the video, the less a second of it takes", () => {
  const rates = Array.from({ length: limits.clipSeconds - 1 }, (_, at) => ofClip(at + 2));
  for (const [at, { videoKilobits, audioKilobits }] of rates.entries()) {
    const before = rates[at - 1] ?? { videoKilobits: Number.POSITIVE_INFINITY, audioKilobits: 0 };
    expect(videoKilobits + audioKilobits).toBeLessThanOrEqual(before.videoKilobits + before.audioKilobits);
  }
});

test("what no quality makes small enough is not tried", () => {
  expect(() => shareQuality(60, 100_000)).toThrow(RangeError);
});
