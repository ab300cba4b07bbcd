import type { TeamIndex } from "../../../replay/match-record.ts";
import type { Rosters } from "./assign-rosters.ts";
import { type DemoEvent, isNameless, textOf } from "./demo-events.ts";
import type { FoundRound } from "./find-rounds.ts";
import { type KnownBot, namelessBot } from "./player-register.ts";

/** Whether bots took part in a demo. */
export function hasBots(events: readonly DemoEvent[]): boolean {
  return events.some(
    (event) =>
      (event.event_name === "player_team" && event.isbot === true) ||
      (event.event_name === "player_death" && isNameless(event, "user")),
  );
}

/** A count for each roster. */
export type OfBothRosters = readonly [number, number];

/** Spawns and deaths of bots: a small part of a demo's events, since they are searched for every round. */
export function eventsOfBots(events: readonly DemoEvent[]): DemoEvent[] {
  return events.filter(
    (event) => ["player_spawn", "player_death"].includes(event.event_name) && isNameless(event, "user"),
  );
}

/**
 * How many bots of each roster are alive when a round goes live. As many as spawned; those that people kill in the round are assigned
 * first, the rest fills up the smaller roster.
 *
 * @param events at least those of bots
 * @param people alive in each roster when it goes live
 * @param known bots of each roster in the whole demo; no more can be alive
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
  // Spawns at different ticks may be of one bot or of several: assume as many as fill up the smaller roster.
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
 * The bots of both rosters: those named by the demo, and as many more as must have taken part. A roster has at least as many bots as died
 * in one round, and both together as many as spawned at one tick. If that leaves open which roster they belong to, they fill up the smaller
 * one.
 *
 * @param events at least those of bots
 * @param peopleAlive in each round
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
 * Counts nameless victims of people by the roster they must belong to: the one opposite their killer, unless all bots of the round fill up
 * the killer's own.
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

/** The roster that is short of people by at least as many as bots spawned, so that all of them belong to it. Null if neither is. */
function rosterFilledUp(events: readonly DemoEvent[], round: FoundRound, people: OfBothRosters): TeamIndex | null {
  const spawned = spawnedAtOnce(events, round);
  const short = people[1] - people[0];
  if (spawned === 0 || short === 0 || spawned > Math.abs(short)) return null;
  return short > 0 ? 0 : 1;
}

/** The most nameless players that spawned at one tick before a round went live. */
function spawnedAtOnce(events: readonly DemoEvent[], round: FoundRound): number {
  return mostAtOnce(spawnTicks(events, round));
}

/** The ticks at which nameless players spawned before a round went live. */
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
