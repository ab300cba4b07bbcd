import { type DemoEvent, flagOf, isNameless, textOf } from "./demo-events.ts";
import { isSteamId } from "./player-register.ts";

/**
 * Events that prove that a player is present. Not among them: grenades, which may go off after their thrower left, and changes of team,
 * which half time brings for all bodies.
 */
const presence = new Set([
  "player_connect_full",
  "player_death",
  "player_spawn",
  "weapon_fire",
  "bomb_beginplant",
  "bomb_begindefuse",
]);

/**
 * SteamIDs of players who have left the server when a round goes live: a recording may keep their bodies and report them as alive. Players
 * who are seen again by the round's end are back. Players who came back late have no name in events (decision 031), so after a nameless
 * arrival nobody who left before counts as gone.
 * @param events in tick order
 */
export function goneAt(events: readonly DemoEvent[], round: { freezeEndTick: number; endTick: number }): Set<string> {
  const gone = new Set<string>();
  for (const event of events) {
    if (event.tick > round.endTick) break;
    const steamId = textOf(event, "user_steamid");
    if (event.event_name === "player_disconnect") {
      if (isSteamId(steamId) && event.tick <= round.freezeEndTick) gone.add(steamId);
    } else if (isNamelessArrival(event)) gone.clear();
    else if (presence.has(event.event_name)) gone.delete(steamId);
  }
  return gone;
}

function isNamelessArrival(event: DemoEvent): boolean {
  const isArrival = event.event_name === "player_connect_full" || event.event_name === "player_team";
  return isArrival && isNameless(event, "user") && !flagOf(event, "isbot") && !flagOf(event, "disconnect");
}
