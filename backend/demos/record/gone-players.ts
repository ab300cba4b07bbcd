import { type DemoEvent, flagOf, isNameless, textOf } from "./demo-events.ts";
import { isSteamId } from "./player-register.ts";

/** Only who is there does this or has it done to them. A grenade of one's own may go off later, and half time changes all bodies' teams. */
const presence = new Set([
  "player_connect_full",
  "player_death",
  "player_spawn",
  "weapon_fire",
  "bomb_beginplant",
  "bomb_begindefuse",
]);

/**
 * Who has left the server when a round goes live, by SteamID: a recording may keep their body, and say of it that it lives. Who is
 * seen again up to the round's end is back. Who came back late has no name in events (decision 031), so after a nameless arrival
 * nobody who left before it is known to be gone.
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
