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

/** How many, of either roster. */
export type OfBothRosters = readonly [number, number];

/** What is told of bots coming to life and dying: few of a demo's events, looked through for each round. */
export function eventsOfBots(events: readonly DemoEvent[]): DemoEvent[] {
  return events.filter(
    (event) => ["player_spawn", "player_death"].includes(event.event_name) && isNameless(event, "user"),
  );
}

/**
 * How many bots of both rosters live when a round goes live: as many as came to life, those that people kill in it first, then
 * whoever fills up the smaller roster.
 *
 * @param events those of bots at least
 * @param people of both rosters alive when it goes live
 * @param known bots of both rosters in the whole demo, of which no more can live
 */
export function botsAlive(
  events: readonly DemoEvent[],
  round: FoundRound,
  rosters: Rosters,
  people: OfBothRosters,
  known: OfBothRosters,
): [number, number] {
  const ticks = spawnTicks(events, round);
  const together = mostAtOnce(ticks);
  if (together === 0) return [0, 0];
  // Some that came to life one after the other may be one, and may be several: as many as fill up the smaller roster.
  const inAll = together < ticks.length ? Math.min(Math.abs(people[0] - people[1]), ticks.length) : 0;
  const spawned = Math.min(Math.max(together, inAll), known[0] + known[1]);
  const died = botsKilledIn(events, round, rosters, people);
  const alive: [number, number] = [Math.min(died[0], known[0]), Math.min(died[1], known[1])];
  while (alive[0] + alive[1] < spawned) {
    const smaller: TeamIndex = people[0] + alive[0] <= people[1] + alive[1] ? 0 : 1;
    const larger: TeamIndex = smaller === 0 ? 1 : 0;
    alive[alive[smaller] < known[smaller] ? smaller : larger]++;
  }
  return alive;
}

/**
 * The bots of both rosters: those the demo names, and as many more as must have been there. A roster has at least as many as
 * of its bots died in one round, and both together as many as came to life at one tick; where that leaves open whose they
 * are, they fill up the smaller roster.
 *
 * @param events those of bots at least
 * @param peopleAlive of each round
 * @param named bots from the demo's list of players, which not every demo has
 */
export function findBots(
  events: readonly DemoEvent[],
  rounds: readonly FoundRound[],
  rosters: Rosters,
  peopleAlive: readonly OfBothRosters[],
  named: readonly KnownBot[],
): KnownBot[] {
  const bots = [...named];
  const countOf = (team: TeamIndex) => bots.filter((bot) => bot.team === team).length;
  const add = (team: TeamIndex) => bots.push({ ...namelessBot, team });
  const people: [number, number] = [0, 0];
  for (const team of rosters.teamOf.values()) people[team]++;

  let together = 0;
  for (const [index, round] of rounds.entries()) {
    const died = botsKilledIn(events, round, rosters, peopleAlive[index] ?? [0, 0]);
    for (const team of [0, 1] as const) while (countOf(team) < died[team]) add(team);
    together = Math.max(together, spawnedAtOnce(events, round));
  }
  while (bots.length < together) add(people[0] + countOf(0) <= people[1] + countOf(1) ? 0 : 1);
  return bots;
}

/**
 * Nameless victims of people, by the roster they must be on: the other one than their killer's, unless all bots of the round fill
 * up the killer's own.
 */
function botsKilledIn(
  events: readonly DemoEvent[],
  round: FoundRound,
  rosters: Rosters,
  people: OfBothRosters,
): [number, number] {
  const died: [number, number] = [0, 0];
  const filledUp = rosterFilledUp(events, round, people);
  for (const event of events) {
    if (event.event_name !== "player_death" || !isNameless(event, "user")) continue;
    if (event.tick < round.freezeEndTick || event.tick > round.endTick) continue;
    const killer = rosters.teamOf.get(textOf(event, "attacker_steamid"));
    if (killer !== undefined) died[killer === filledUp ? killer : killer === 0 ? 1 : 0]++;
  }
  return died;
}

/** The roster that is short of people by as many as bots came to life, or more: all of them are its own. Null where none is. */
function rosterFilledUp(events: readonly DemoEvent[], round: FoundRound, people: OfBothRosters): TeamIndex | null {
  const spawned = spawnedAtOnce(events, round);
  const short = people[1] - people[0];
  if (spawned === 0 || short === 0 || spawned > Math.abs(short)) return null;
  return short > 0 ? 0 : 1;
}

/** Most nameless players that came to life at one tick before a round went live. */
function spawnedAtOnce(events: readonly DemoEvent[], round: FoundRound): number {
  return mostAtOnce(spawnTicks(events, round));
}

/** When nameless players came to life before a round went live, each time. */
function spawnTicks(events: readonly DemoEvent[], round: FoundRound): number[] {
  return events
    .filter((event) => event.event_name === "player_spawn" && isNameless(event, "user"))
    .map(({ tick }) => tick)
    .filter((tick) => tick >= round.startTick && tick <= round.freezeEndTick);
}

function mostAtOnce(ticks: readonly number[]): number {
  const times = new Map<number, number>();
  for (const tick of ticks) times.set(tick, (times.get(tick) ?? 0) + 1);
  return Math.max(0, ...times.values());
}
