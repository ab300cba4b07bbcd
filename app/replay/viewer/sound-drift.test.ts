import { expect, test } from "vitest";
import { watchDrift } from "./sound-drift.ts";

/** A picture that tells twelve times a second where it is, and the sound that is begun anew whenever that is asked for. */
function listen(pictureAt: (seconds: number) => number, { seconds = 10, speed = 1, ageMs = 5 } = {}) {
  const isAdrift = watchDrift();
  const corrections: number[] = [];
  let begun = { at: 0, from: pictureAt(0) };
  let apart = 0;
  for (let time = 0.08; time < seconds; time += 0.08) {
    const seen = pictureAt(time);
    const heard = begun.from + (time - begun.at) * speed;
    if (isAdrift({ seen, heard, speed, ageMs, now: time * 1000 })) {
      begun = { at: time, from: seen };
      corrections.push(time);
    } else apart = Math.abs(heard - seen);
  }
  return { corrections, apart };
}

test("Sound that a stalled picture left ahead is brought back to it, once", () => {
  const { corrections, apart } = listen((time) => (time < 3 ? time : time < 5 ? 3 : time - 2));
  expect(apart).toBeLessThan(0.1);
  // While it stands, and once it goes on.
  expect(corrections.filter((time) => time < 3)).toEqual([]);
  expect(corrections.filter((time) => time > 6.1)).toEqual([]);
});

test("Sound is left alone while it is with its picture, however unevenly that tells of itself", () => {
  let count = 0;
  const uneven = (time: number) => time + [0, 0.03, -0.06, 0.2, 0.01][count++ % 5]!;
  expect(listen(uneven).corrections).toEqual([]);
  expect(listen((time) => time * 4 + 0.3, { speed: 4 }).corrections, "the same in a quarter of the time").toEqual([]);
});

test("A picture that is too slow for its sound makes it jump once a second at most", () => {
  const { corrections } = listen((time) => time * 0.6);
  expect(corrections.length).toBeGreaterThan(5);
  const gaps = corrections.slice(1).map((time, i) => time - corrections[i]!);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1);
});

test("What comes late from a busy page proves nothing", () => {
  expect(listen((time) => time * 0.5, { ageMs: 400 }).corrections).toEqual([]);
});
