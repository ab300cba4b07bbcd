import type { RecordedDeath, RecordedRound } from "../../../replay/match-record.ts";
import { DemoImportError } from "../demo-import-error.ts";
import { type DemoEvent, flagOf, textOf } from "./demo-events.ts";
import { isSteamId } from "./player-register.ts";

/**
 * Called for a demo without rounds with players.
 * @throws DemoImportError `untold` if rounds were decided but none went live according to the demo, or if people fought but none is on a
 *   side; otherwise `no_rounds`
 */
export function refuseWithoutRounds(events: readonly DemoEvent[]): never {
  const inMatch = events.filter((event) => !flagOf(event, "is_warmup_period"));
  const isDecided = inMatch.some((event) => event.event_name === "round_end");
  if (isDecided && !events.some((event) => event.event_name === "round_freeze_end"))
    throw untold("when its rounds went live", "no round_freeze_end");
  const isKillOfPerson = (event: DemoEvent) =>
    event.event_name === "player_death" && isSteamId(textOf(event, "attacker_steamid"));
  if (isDecided && inMatch.some(isKillOfPerson)) throw untold("who plays on which side", "nobody with a side");
  throw new DemoImportError("no_rounds");
}

/**
 * @throws DemoImportError `untold` if a team was eliminated of which nobody died or left: without deaths everybody would seem to have
 *   survived
 */
export function refuseWithoutDeaths(
  events: readonly DemoEvent[],
  rounds: readonly RecordedRound[],
  deaths: readonly RecordedDeath[],
): void {
  if (events.some((event) => event.event_name === "player_death")) return;
  const isEliminated = ({ reason }: RecordedRound) => reason === "ct_eliminated_t" || reason === "t_eliminated_ct";
  if (rounds.some((round) => isEliminated(round) && !deaths.some((death) => death.round === round.number)))
    throw untold("who killed whom", "no player_death");
}

function untold(what: string, missing: string): DemoImportError {
  return new DemoImportError("untold", { what }, new Error(`There is ${missing} in the demo.`));
}
