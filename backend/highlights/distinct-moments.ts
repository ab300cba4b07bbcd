/** The parts of a stored highlight that determine which moment it shows. */
interface Moment {
  player: number;
  round: number;
  start_tick: number;
  end_tick: number;
}

/**
 * The best highlights, without those that show what a better one of the same player already shows: an ace is often a streak of headshots as
 * well. Two in one round that do not overlap are different moments.
 * @param highlights the best first
 * @param count at most
 */
export function distinctMoments<Found extends Moment>(highlights: readonly Found[], count: number): Found[] {
  const best: Found[] = [];
  for (const highlight of highlights) {
    if (best.length === count) break;
    if (!best.some((better) => isSameMoment(better, highlight))) best.push(highlight);
  }
  return best;
}

function isSameMoment(a: Moment, b: Moment): boolean {
  return a.player === b.player && a.round === b.round && a.start_tick <= b.end_tick && b.start_tick <= a.end_tick;
}
