import { expect, test } from "vitest";
import { beepPhase, bombBeepSeconds, bombSeconds, bombTripSeconds } from "./bomb-beeps.ts";

test("the bomb beeps as the game's does: once a second at first, every 0.15 s at the end, not in its last second", () => {
  expect(bombBeepSeconds[0]).toBe(1);
  // 1 + 0.1 + 0.9 · 39/40, worked out by hand.
  expect(bombBeepSeconds[1]).toBeCloseTo(1.9775, 9);
  const pauses = bombBeepSeconds.slice(1).map((seconds, i) => seconds - (bombBeepSeconds[i] ?? 0));
  for (const [i, pause] of pauses.entries()) {
    expect(pause).toBeLessThanOrEqual((pauses[i - 1] ?? 1) + 1e-9);
    expect(pause).toBeGreaterThanOrEqual(0.15 - 1e-9);
  }
  expect(pauses.at(-1)).toBeCloseTo(0.15, 9);
  expect(bombBeepSeconds.at(-1)).toBeLessThan(bombTripSeconds);
  expect(bombBeepSeconds.at(-1)).toBeGreaterThanOrEqual(bombTripSeconds - 0.15 - 1e-9);
});

test("a pulse begins with each beep and with the trip, and never in between", () => {
  expect(beepPhase(0)).toBeNull();
  expect(beepPhase(0.99)).toBeNull();
  for (const beep of [...bombBeepSeconds, bombTripSeconds]) {
    expect(beepPhase(beep)).toBeLessThan(1e-4);
    if (beep > 1) expect(beepPhase(beep - 1e-4)).toBeGreaterThan(0.99);
  }
  let pulses = 0;
  let before: number | null = null;
  for (let millisecond = 0; millisecond < bombSeconds * 1000; millisecond++) {
    const phase = beepPhase(millisecond / 1000);
    if (phase !== null && (before === null || phase < before)) pulses++;
    before = phase;
  }
  expect(pulses).toBe(bombBeepSeconds.length + 1);
  expect(beepPhase(bombSeconds)).toBeNull();
});
