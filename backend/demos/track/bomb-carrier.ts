import { firstIndexWhere } from "../../../replay/first-index.ts";
import type { MatchRecord, PlayerIndex } from "../../../replay/match-record.ts";

/** The bomb carrier at a tick; null while the bomb lies on the ground or is planted, and between rounds. */
export function bombCarrierAt(record: MatchRecord): (tick: number) => PlayerIndex | null {
  const changes: { tick: number; carrier: PlayerIndex | null }[] = [
    ...record.rounds.map((round) => ({ tick: round.startTick, carrier: null })),
    ...record.bomb
      .filter((event) => event.kind === "picked_up" || event.kind === "dropped" || event.kind === "planted")
      .map((event) => ({ tick: event.tick, carrier: event.kind === "picked_up" ? event.player : null })),
  ];
  // The sort is stable: a pick-up on the tick of a round's start comes after that start, and counts.
  changes.sort((a, b) => a.tick - b.tick);
  return (tick) => {
    const after = firstIndexWhere(changes, (change) => change.tick > tick);
    return changes[after - 1]?.carrier ?? null;
  };
}
