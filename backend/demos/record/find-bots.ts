import type { TeamIndex } from "../../../replay/match-record.ts";
import type { Rosters } from "./assign-rosters.ts";
import { type DemoEvent, isNameless, textOf } from "./demo-events.ts";
import type { FoundRound } from "./find-rounds.ts";
import { type KnownBot, namelessBot } from "./player-register.ts";

/** Whether computer players took part in a demo. */
export function hasBots(events: readonly DemoEvent[]): boolean {
  return events.some(
    (event) =>
      (event.event_name === "player_team" && event.isbot === true) ||
      (event.event_name === "player_death" && isNameless(event, "user")),
  );
}

/** Whether bots came to life in a round. */
export function botsSpawnedIn(events: readonly DemoEvent[], round: FoundRound): boolean {
  return spawnedAtOnce(events, round) > 0;
}

/**
 * The bots of both rosters: those the demo names, and as many more as must have been there. A roster has at least as many as
 * of its bots died in one round, and both together as many as came to life at one tick; where that leaves open whose they
 * are, they fill up the smaller roster.
 *
 * @param named bots from the demo's list of players, which not every demo has
 */
export function findBots(
  events: readonly DemoEvent[],
  rounds: readonly FoundRound[],
  rosters: Rosters,
  named: readonly KnownBot[],
): KnownBot[] {
  const bots = [...named];
  const countOf = (team: TeamIndex) => bots.filter((bot) => bot.team === team).length;
  const add = (team: TeamIndex) => bots.push({ ...namelessBot, team });
  const people: [number, number] = [0, 0];
  for (const team of rosters.teamOf.values()) people[team]++;

  let together = 0;
  for (const round of rounds) {
    const died = botsKilledIn(events, round, rosters);
    for (const team of [0, 1] as const) while (countOf(team) < died[team]) add(team);
    together = Math.max(together, spawnedAtOnce(events, round));
  }
  while (bots.length < together) add(people[0] + countOf(0) <= people[1] + countOf(1) ? 0 : 1);
  return bots;
}

/** Nameless victims of people, by the roster they must be on: the other one than their killer's. */
function botsKilledIn(events: readonly DemoEvent[], round: FoundRound, rosters: Rosters): [number, number] {
  const died: [number, number] = [0, 0];
  for (const event of events) {
    if (event.event_name !== "player_death" || !isNameless(event, "user")) continue;
    if (event.tick < round.freezeEndTick || event.tick > round.endTick) continue;
    const killer = rosters.teamOf.get(textOf(event, "attacker_steamid"));
    if (killer !== undefined) died[killer === 0 ? 1 : 0]++;
  }
  return died;
}

/** Most nameless players that came to life at one tick before a round went live. */
function spawnedAtOnce(events: readonly DemoEvent[], round: FoundRound): number {
  const spawned = new Map<number, number>();
  for (const event of events) {
    if (event.event_name !== "player_spawn" || !isNameless(event, "user")) continue;
    if (event.tick < round.startTick || event.tick > round.freezeEndTick) continue;
    spawned.set(event.tick, (spawned.get(event.tick) ?? 0) + 1);
  }
  return Math.max(0, ...spawned.values());
}
