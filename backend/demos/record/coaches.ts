import type { PlayerIndex, RecordedRound } from "../../../replay/match-record.ts";

/** Who coached in which rounds. Coaches may have played in other rounds. */
export class Coaches {
  private readonly ofRound = new Map<number, ReadonlySet<PlayerIndex>>();

  add(round: number, players: Iterable<PlayerIndex>): void {
    this.ofRound.set(round, new Set(players));
  }

  isCoach(player: PlayerIndex | null, round: RecordedRound | null): boolean {
    return player !== null && round !== null && (this.ofRound.get(round.number)?.has(player) ?? false);
  }
}
