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
 * For each round the SteamIDs of players who have left the server when it goes live: a recording may keep their bodies and report them as
 * alive. Players who are seen again by the round's end are back. Players who came back late have no name in events (decision 031), so
 * after a nameless arrival nobody who left before counts as gone.
 * @param events in tick order
 * @param rounds in tick order
 */
export function goneInRounds(
  events: readonly DemoEvent[],
  rounds: readonly { freezeEndTick: number; endTick: number }[],
): Set<string>[] {
  const gone = new Set<string>();
  let next = 0;
  return rounds.map(({ freezeEndTick, endTick }) => {
    for (; next < events.length && events[next]!.tick <= freezeEndTick; next++) {
      const event = events[next]!;
      const steamId = textOf(event, "user_steamid");
      if (event.event_name !== "player_disconnect") bringBack(gone, event);
      else if (isSteamId(steamId)) gone.add(steamId);
    }
    const inRound = new Set(gone);
    for (let at = next; inRound.size > 0 && at < events.length && events[at]!.tick <= endTick; at++)
      bringBack(inRound, events[at]!);
    return inRound;
  });
}

/** Removes the players who are back by an event. */
function bringBack(gone: Set<string>, event: DemoEvent): void {
  if (isNamelessArrival(event)) gone.clear();
  else if (presence.has(event.event_name)) gone.delete(textOf(event, "user_steamid"));
}

function isNamelessArrival(event: DemoEvent): boolean {
  const isArrival = event.event_name === "player_connect_full" || event.event_name === "player_team";
  return isArrival && isNameless(event, "user") && !flagOf(event, "isbot") && !flagOf(event, "disconnect");
}
