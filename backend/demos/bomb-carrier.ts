import type { MatchRecord, PlayerIndex } from "../../replay/match-record.ts";

/** Who carries the bomb at a tick; null while it lies, is planted, or no round runs. */
export function bombCarrierAt(record: MatchRecord): (tick: number) => PlayerIndex | null {
  const changes: { tick: number; carrier: PlayerIndex | null }[] = [
    ...record.rounds.map((round) => ({ tick: round.startTick, carrier: null })),
    ...record.bomb
      .filter((event) => event.kind === "picked_up" || event.kind === "dropped" || event.kind === "planted")
      .map((event) => ({ tick: event.tick, carrier: event.kind === "picked_up" ? event.player : null })),
  ];
  // A stable sort: where a round starts with the pick-up on the same tick, the pick-up counts.
  changes.sort((a, b) => a.tick - b.tick);
  return (tick) => {
    let low = 0;
    let high = changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (changes[middle]!.tick <= tick) low = middle + 1;
      else high = middle;
    }
    return changes[low - 1]?.carrier ?? null;
  };
}
