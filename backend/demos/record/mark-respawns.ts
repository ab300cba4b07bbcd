import type { PlayerIndex, RecordedDeath, RecordedRound } from "../../../replay/match-record.ts";
import { isLive } from "../../../replay/round-lives.ts";
import type { ColumnsBySteamId } from "./ask-parser.ts";
import type { PlayerRegister } from "./player-register.ts";

/**
 * Marks rounds in which a person came to life again after a death (`unclearLives`), as in modes other than matches: nobody is the
 * last one there. A dead person in a bot's body is none of these.
 * @param columns `is_alive` and `is_controlling_bot` while the rounds live
 */
export function markRespawns(
  columns: ColumnsBySteamId,
  rounds: readonly RecordedRound[],
  deaths: readonly RecordedDeath[],
  register: PlayerRegister,
): void {
  const columnsOf = new Map<PlayerIndex, ColumnsBySteamId[string]>();
  for (const [steamId, column] of Object.entries(columns)) {
    const player = register.person(steamId);
    if (player !== null) columnsOf.set(player, column);
  }
  const livesAgain = (round: RecordedRound) =>
    deaths.some(({ tick: diedAt, player, cause }) => {
      // Of who left the demo may keep the state of before.
      if (cause === "disconnect" || !isLive(round, diedAt)) return false;
      const column = columnsOf.get(player);
      return column?.tick.some(
        (tick, row) =>
          tick > diedAt &&
          isLive(round, tick) &&
          column.is_alive?.[row] === true &&
          column.is_controlling_bot?.[row] === false,
      );
    });
  for (const round of rounds) if (livesAgain(round)) round.unclearLives = true;
}
