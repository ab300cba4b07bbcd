import type { TeamIndex } from "../../../replay/match-record.ts";
import type { Rosters } from "./assign-rosters.ts";
import { type DemoEvent, sideOfTeamNumber, textOf } from "./demo-events.ts";
import type { FoundRound } from "./find-rounds.ts";
import { isSteamId } from "./player-register.ts";

/**
 * Adds players who first spawned after the last freeze time: they are on no roster yet and join the one whose side they fight for.
 * @param events in tick order
 * @param coaches SteamIDs of each round's coaches, who are on a side but belong to no roster
 */
export function addLateJoiners(
  events: readonly DemoEvent[],
  rounds: readonly FoundRound[],
  rosters: Rosters,
  coaches: readonly ReadonlySet<string>[],
): void {
  for (const event of events) {
    if (event.event_name !== "player_death" && event.event_name !== "weapon_fire") continue;
    const index = rounds.findIndex(({ freezeEndTick, endTick }) => event.tick > freezeEndTick && event.tick <= endTick);
    if (index < 0) continue;
    for (const role of ["user", "attacker"] as const) {
      const steamId = textOf(event, `${role}_steamid`);
      const side = sideOfTeamNumber(event[`${role}_team_num`]);
      if (!isSteamId(steamId) || !side || rosters.teamOf.has(steamId) || coaches[index]?.has(steamId)) continue;
      const team: TeamIndex = rosters.sides[index]?.[0] === side ? 0 : 1;
      rosters.teamOf.set(steamId, team);
    }
  }
}
