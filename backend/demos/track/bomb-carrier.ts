import { firstIndexWhere } from "../../../replay/first-index.ts";
import type { MatchRecord, PlayerIndex } from "../../../replay/match-record.ts";

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
    const after = firstIndexWhere(changes, (change) => change.tick > tick);
    return changes[after - 1]?.carrier ?? null;
  };
}
