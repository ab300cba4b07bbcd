import { firstIndexWhere } from "./first-index.ts";

/** `mp_c4timer`: seconds from the plant to the explosion (CS2 competitive settings). */
export const bombSeconds = 40;

/** A second before it explodes the bomb trips: one last, different sound. */
export const bombTripSeconds = bombSeconds - 1;

/**
 * Seconds after the plant at which the bomb beeps and its light flashes, ascending. As in the game's client
 * (`C_PlantedC4::ClientThink` of Counter-Strike): the first after a second, then ever faster, from one a second to one
 * every 0.15 s, until it trips. The game beeps at its first frame after each of these times; these are the times
 * themselves.
 */
export const bombBeepSeconds: readonly number[] = beepSeconds();

function beepSeconds(): number[] {
  const beeps: number[] = [];
  let next = 1;
  while (next < bombTripSeconds) {
    beeps.push(next);
    next += Math.max(0.15, 0.1 + (0.9 * (bombSeconds - next)) / bombSeconds);
  }
  return beeps;
}

/**
 * The phase of the beep's pulse: 0 at a beep or the trip, rising linearly to 1 at the next one or the explosion; null before
 * the first beep and after the explosion.
 */
export function beepPhase(secondsSincePlant: number): number | null {
  // A frame exactly at a beep shows it despite rounding errors in its tick.
  const seconds = secondsSincePlant + 1e-6;
  if (seconds >= bombSeconds) return null;
  if (seconds >= bombTripSeconds) return seconds - bombTripSeconds;
  const next = firstIndexWhere(bombBeepSeconds, (beep) => beep > seconds);
  const from = bombBeepSeconds[next - 1];
  if (from === undefined) return null;
  const until = bombBeepSeconds[next] ?? bombTripSeconds;
  return (seconds - from) / (until - from);
}
