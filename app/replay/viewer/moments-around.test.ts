import { expect, test } from "vitest";
import { momentsAround, startOf } from "./moments-around.ts";

const kill = (frame: number) => ({ frame, text: `Kill at ${frame}` });

test("jumps on and back lead over the same kills, however near they are", () => {
  // Two thirds of a second between the second and the third.
  const kills = [kill(100), kill(200), kill(220), kill(300)];
  const onwards: number[] = [];
  for (let frame = 0; ; ) {
    const { next } = momentsAround(kills, frame, 30);
    if (!next) break;
    onwards.push(next.frame);
    frame = startOf(next, 30);
  }
  expect(onwards).toEqual([100, 200, 220, 300]);
  const back: number[] = [];
  for (let frame = 400; ; ) {
    const { before } = momentsAround(kills, frame, 30);
    if (!before) break;
    back.push(before.frame);
    frame = startOf(before, 30);
  }
  expect(back).toEqual([300, 220, 200, 100]);
});

test("half a second after a kill has begun, back is to the one before it; later, to itself", () => {
  const kills = [kill(100), kill(200)];
  expect(momentsAround(kills, 205, 30).before?.frame).toBe(100);
  expect(momentsAround(kills, 206, 30).before?.frame).toBe(200);
});
