import type { MatchRecord, PlayerIndex, RecordedRound } from "../../../replay/match-record.ts";
import { isLive } from "../../../replay/round-lives.ts";
import type { ColumnsBySteamId, PlayerColumns } from "./ask-parser.ts";
import type { PlayerRegister } from "./player-register.ts";

/**
 * Marks rounds in which a person came to life again after a death (`unclearLives`, `respawns`), as happens in modes other than matches:
 * nobody can be the last one alive there. The state of a dead player in the demo may be stale, so the person must be reported as alive and
 * also shoot or die once more. A dead person who controls a bot does not count.
 * @param columns `is_alive` and `is_controlling_bot` during the live parts of rounds
 */
export function markRespawns(
  columns: ColumnsBySteamId,
  rounds: readonly RecordedRound[],
  { deaths, shots }: Pick<MatchRecord, "deaths" | "shots">,
  register: PlayerRegister,
): void {
  const columnsOf = new Map<PlayerIndex, PlayerColumns>();
  for (const [steamId, column] of Object.entries(columns)) {
    const player = register.person(steamId);
    if (player !== null) columnsOf.set(player, column);
  }
  const livesAgain = (round: RecordedRound) =>
    deaths.some(({ tick: diedAt, player }) => {
      if (!isLive(round, diedAt)) return false;
      const isAfter = (tick: number) => tick > diedAt && isLive(round, tick);
      const acts =
        deaths.some((death) => death.player === player && isAfter(death.tick)) ||
        shots.some((shot) => shot.player === player && !shot.controlsBot && isAfter(shot.tick));
      const column = acts ? columnsOf.get(player) : undefined;
      return column?.tick.some(
        (tick, row) => isAfter(tick) && column.is_alive?.[row] === true && column.is_controlling_bot?.[row] === false,
      );
    });
  for (const round of rounds.filter(livesAgain)) {
    round.unclearLives = true;
    round.respawns = true;
  }
}
