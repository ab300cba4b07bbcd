import { parseTicks } from "@laihoe/demoparser2";
import { bareWeaponName, isWeaponOfNobody } from "../../../contract/weapons.ts";
import type { Side } from "../../../replay/match-record.ts";
import { askParser, type ColumnsBySteamId, type PlayerColumns } from "./ask-parser.ts";
import {
  type DemoEvent,
  type EventRole,
  eventPlayerFields,
  isNameless,
  numberOf,
  positionOf,
  sideOfTeamNumber,
  textOf,
} from "./demo-events.ts";
import { type DemoFrames, packetTickAt } from "./demo-frames.ts";
import { isSteamId } from "./player-register.ts";
import { weaponOfDefinition } from "./weapon-definitions.ts";

/** Fields that show whether an event is about a player, beside the fields requested for every player in an event. */
const evidenceFields = ["player_name", "is_alive", "health", "item_def_idx", "active_weapon_ammo", "assists_total"];

/** Degrees: if two players could have hit somebody, the one whose aim was better by this much did. */
const clearlyBetterAim = 5;
/** Degrees: nobody hits a target that is farther off their aim. */
const widestAim = 15;

/** A joining player appears in one of these events before they can do anything. */
const joiningEvents = new Set(["player_connect_full", "player_team"]);

/** The parser knows these players from their bodies, so whoever is named here may be nameless in all other events. */
const eventsOfBodies = new Set(["bomb_pickup", "decoy_started"]);

/** Nobody spawns or dies twice in a tick: the second such event is about another player. */
const eventsOfLives = new Set(["player_spawn", "player_death"]);

/**
 * Restores the names of players in events where the parser left them out.
 *
 * demoparser2 0.42 looks up the people of events in the connection table as of the full packets, which come once a minute: whoever connects
 * or reconnects after the last one of a recording is nobody in its events, but is present in the rows of `parseTicks`. So a nameless player
 * in an event is somebody who arrived, has not been named since, and whose state at that tick fits the event. If two players fit, the name
 * stays empty. Most kills have no assister, so one is added only if the game counts an assist.
 *
 * Demos without such arrivals cost nothing; others cost one query at the ticks in question.
 *
 * @param events in tick order; changed in place
 * @throws DemoImportError `parser_failed`
 */
export function nameReturnedPlayers(path: string, events: readonly DemoEvent[], frames: DemoFrames): void {
  nameLeavers(events);
  const arrivals = namelessArrivals(events);
  const [firstArrival] = arrivals;
  if (firstArrival === undefined) return;
  const nameless = events.filter(
    (event) =>
      event.tick >= firstArrival &&
      (isNameless(event, "user") || isNameless(event, "attacker") || mayLackAssister(event)),
  );
  const ticks = new Set(nameless.flatMap(({ tick }) => Object.values(ticksAround(frames, tick))));
  const wanted = [...ticks].sort((a, b) => a - b);
  const fields = [...eventPlayerFields, ...evidenceFields];
  const columns = askParser(() => parseTicks(path, fields, wanted, null, true, true) as ColumnsBySteamId);
  const unnamed = new UnnamedPeople(events, arrivals, columns);
  // GOTV is also a bot, but on no side.
  const hasBots = events.some((event) => event.isbot === true && sideOfTeamNumber(event.team) !== null);
  nameParties(nameless, unnamed, frames, hasBots);
  nameAssisters(nameless.filter(mayLackAssister), unnamed, frames);
}

function nameParties(
  nameless: readonly DemoEvent[],
  unnamed: UnnamedPeople,
  frames: DemoFrames,
  hasBots: boolean,
): void {
  const deathsLeft = countDeaths(nameless);
  for (const event of nameless) {
    for (const role of ["user", "attacker"] as const) {
      if (!isNameless(event, role)) continue;
      const states = unnamed.at(event.tick, ticksAround(frames, event.tick));
      const isOnce = role === "user" && eventsOfLives.has(event.event_name);
      const free = states.filter(({ steamId }) => !isOnce || !unnamed.isNamedIn(event, steamId));
      const isDeath = role === "user" && event.event_name === "player_death";
      const deaths = deathsLeft.get(event.tick) ?? 0;
      const meant = isDeath ? whoDied(free, event, deaths) : whoIsMeant(free, event, role, hasBots);
      if (!meant) continue;
      nameIn(event, role, meant);
      if (isOnce) unnamed.markNamed(event, meant.steamId);
      if (isDeath) deathsLeft.set(event.tick, deaths - 1);
    }
  }
}

function nameAssisters(deaths: readonly DemoEvent[], unnamed: UnnamedPeople, frames: DemoFrames): void {
  for (const death of deaths) {
    const ticks = ticksAround(frames, death.tick);
    const assister = whoAssisted(unnamed.at(death.tick, ticks), death, deaths, ticks);
    if (assister) nameIn(death, "assister", assister);
  }
}

/** The number of nameless deaths at each tick. */
function countDeaths(events: readonly DemoEvent[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const event of events)
    if (event.event_name === "player_death" && isNameless(event, "user"))
      counts.set(event.tick, (counts.get(event.tick) ?? 0) + 1);
  return counts;
}

function mayLackAssister(event: DemoEvent): boolean {
  return event.event_name === "player_death" && isNameless(event, "assister");
}

/** A disconnect event itself contains the name of its player. */
function nameLeavers(events: readonly DemoEvent[]): void {
  for (const event of events) {
    const steamId = textOf(event, "xuid");
    if (event.event_name !== "player_disconnect" || !isNameless(event, "user") || !isSteamId(steamId)) continue;
    event.user_steamid = steamId;
    event.user_name = textOf(event, "name");
  }
}

/** The ticks at which people arrived whom the parser does not name. Bots never have names, and join as bots. */
function namelessArrivals(events: readonly DemoEvent[]): number[] {
  const joins = events.filter((event) => joiningEvents.has(event.event_name) && isNameless(event, "user"));
  const botTicks = new Set(joins.filter(({ isbot }) => isbot === true).map(({ tick }) => tick));
  return joins.filter((event) => event.disconnect !== true && !botTicks.has(event.tick)).map(({ tick }) => tick);
}

interface TicksAround {
  before: number;
  at: number;
  /** Some builds send a player's new state one packet after the event. */
  after: number;
}

function ticksAround({ packetTicks }: DemoFrames, tick: number): TicksAround {
  const before = packetTickAt(packetTicks, tick - 1);
  const at = packetTickAt(packetTicks, tick);
  const afterIndex = packetTicks.indexOf(at) + 1;
  return { before, at, after: packetTicks[afterIndex] ?? at };
}

/** A player's state around the tick of an event. */
interface StateAround {
  steamId: string;
  column: PlayerColumns;
  /** Rows of the columns. */
  before: number;
  at: number;
  after: number;
}

/** People who are in the match without being named. */
class UnnamedPeople {
  private readonly arrivals: readonly number[];
  private readonly columns: ColumnsBySteamId;
  private readonly named = new Set<string>();
  /** For each SteamID, in order: the events that name the person, and whether they left with it. */
  private readonly traces = new Map<string, { tick: number; left: boolean }[]>();

  constructor(events: readonly DemoEvent[], arrivals: readonly number[], columns: ColumnsBySteamId) {
    this.arrivals = arrivals;
    this.columns = columns;
    for (const event of events.filter(({ event_name: name }) => !eventsOfBodies.has(name))) {
      for (const role of ["user", "attacker", "assister"]) {
        const steamId = textOf(event, `${role}_steamid`);
        if (!steamId) continue;
        const trace = this.traces.get(steamId) ?? [];
        trace.push({ tick: event.tick, left: event.event_name === "player_disconnect" });
        this.traces.set(steamId, trace);
      }
    }
  }

  at(tick: number, ticks: TicksAround): StateAround[] {
    return Object.entries(this.columns).flatMap(([steamId, column]) => {
      if (!isSteamId(steamId) || !this.isUnnamed(steamId, tick)) return [];
      const row = (wanted: number) => column.tick.indexOf(wanted);
      const state = { steamId, column, before: row(ticks.before), at: row(ticks.at), after: row(ticks.after) };
      return state.at >= 0 && sideOfTeamNumber(column.team_num?.[state.at]) ? [state] : [];
    });
  }

  markNamed({ event_name: name, tick }: DemoEvent, steamId: string): void {
    this.named.add(`${name}/${tick}/${steamId}`);
  }

  isNamedIn({ event_name: name, tick }: DemoEvent, steamId: string): boolean {
    return this.named.has(`${name}/${tick}/${steamId}`);
  }

  /** Whether a nameless player has arrived since the person was last named, if ever; false if they have not left since then. */
  private isUnnamed(steamId: string, tick: number): boolean {
    const traces = this.traces.get(steamId) ?? [];
    let index = traces.length - 1;
    while (index >= 0 && traces[index]!.tick > tick) index--;
    const last = traces[index];
    if (last && !last.left) return false;
    return this.arrivals.some((arrival) => arrival <= tick && arrival >= (last?.tick ?? Number.NEGATIVE_INFINITY));
  }
}

/** @param hasBots bots have no names either: if there are any, there must be evidence that a person did it */
function whoIsMeant(
  states: readonly StateAround[],
  event: DemoEvent,
  role: EventRole,
  hasBots: boolean,
): StateAround | null {
  const possible = states.filter((state) => couldBe(state, event, role));
  const only = possible.length === 1 ? possible[0]! : null;
  switch (event.event_name) {
    case "player_spawn":
      // Several players spawn at once, and nothing tells their events apart.
      return possible[0] ?? null;
    case "weapon_fire":
      return only && !hasBots ? only : whoSpentBullet(possible);
    default:
      if (role === "user") return only;
      if (only && !hasBots) return only;
      // Looking at the place where a grenade goes off does not prove having thrown it.
      return isInFlight(event) ? null : (whoAimed(possible, event) ?? whoSpentBullet(possible));
  }
}

/**
 * All players who die at one tick have such an event. The only clue which is whose is that players are rarely killed by themselves or their
 * own side.
 * @param deaths nameless ones at that tick
 */
function whoDied(states: readonly StateAround[], event: DemoEvent, deaths: number): StateAround | null {
  const possible = states.filter((state) => couldBe(state, event, "user"));
  const atOnce = possible.filter(({ column, at }) => column.is_alive?.[at] !== true);
  const died = atOnce.length > 0 ? atOnce : possible;
  if (died.length > deaths) return null;
  const killerSide = sideOfTeamNumber(event.attacker_team_num);
  const weapon = bareWeaponName(textOf(event, "weapon"));
  const isOther = (state: StateAround) => sideOf(state) !== killerSide && !holds(state, weapon);
  return died.find(isOther) ?? died[0] ?? null;
}

/** The player whose aim at the victim is clearly better than that of the others. */
function whoAimed(possible: readonly StateAround[], event: DemoEvent): StateAround | null {
  const victim = positionOf(event, "user");
  if (!victim) return null;
  const aims = possible.map((state) => ({ state, error: aimError(state, victim) })).sort((a, b) => a.error - b.error);
  const [best, next] = aims;
  if (!best || best.error > widestAim) return null;
  return !next || next.error - best.error >= clearlyBetterAim ? best.state : null;
}

function whoSpentBullet(possible: readonly StateAround[]): StateAround | null {
  const spent = possible.filter(hasSpentBullet);
  return spent.length === 1 ? spent[0]! : null;
}

/** Degrees between a player's view direction and a position, seen from above. */
function aimError({ column, at }: StateAround, [x, y]: readonly [number, number, number]): number {
  const value = (field: string) => Number(column[field]?.[at] ?? Number.NaN);
  const wanted = (Math.atan2(y - value("Y"), x - value("X")) * 180) / Math.PI;
  const error = Math.abs(((((wanted - value("yaw") + 180) % 360) + 360) % 360) - 180);
  return Number.isNaN(error) ? 180 : error;
}

/** The player whose assists increase with a kill. */
function whoAssisted(
  states: readonly StateAround[],
  death: DemoEvent,
  deaths: readonly DemoEvent[],
  { at, after }: TicksAround,
): StateAround | null {
  const victim = textOf(death, "user_steamid");
  const killer = textOf(death, "attacker_steamid");
  const others = states.filter(({ steamId }) => steamId !== victim && steamId !== killer);
  const isAlone = deaths.filter(({ tick }) => tick === death.tick).length === 1;
  const assists = ({ column }: StateAround, row: number) => Number(column.assists_total?.[row] ?? Number.NaN);
  const counted = others.filter((state) => assists(state, state.at) > assists(state, state.before));
  const countedLater = others.filter((state) => assists(state, state.after) > assists(state, state.at));
  // A count that rises one packet later may belong to a kill of that packet.
  const isLaterClear = !deaths.some(({ tick }) => tick > at && tick <= after);
  const meant = counted.length > 0 || !isLaterClear ? counted : countedLater;
  return meant.length === 1 && isAlone ? meant[0]! : null;
}

function hasSpentBullet({ column, before, at, after }: StateAround): boolean {
  const clip = (row: number) => Number(column.active_weapon_ammo?.[row] ?? Number.NaN);
  return clip(before) > clip(at) || clip(at) > clip(after);
}

/** Whether a player's state fits an event. */
function couldBe(state: StateAround, event: DemoEvent, role: EventRole): boolean {
  const alive = (row: number) => state.column.is_alive?.[row] === true;
  if (role === "attacker") return couldHaveHit(state, event);
  switch (event.event_name) {
    case "player_death":
      return alive(state.before) && !(alive(state.at) && alive(state.after));
    case "player_hurt":
      return alive(state.before) && isLeftWith(state, numberOf(event, "health") ?? 0);
    case "weapon_fire":
      return alive(state.before) && holds(state, bareWeaponName(textOf(event, "weapon")));
    case "player_spawn":
      return alive(state.at) || alive(state.after);
    case "player_connect_full":
    case "player_team":
      return event.isbot !== true;
    case "bomb_beginplant":
    case "bomb_abortplant":
    case "bomb_planted":
    case "bomb_dropped":
      return alive(state.before) && sideOf(state) === "T";
    case "bomb_begindefuse":
    case "bomb_abortdefuse":
    case "bomb_defused":
      return alive(state.before) && sideOf(state) === "CT";
    default:
      return true;
  }
}

function sideOf({ column, at }: StateAround): Side | null {
  return sideOfTeamNumber(column.team_num?.[at]);
}

function isLeftWith({ column, before, at, after }: StateAround, health: number): boolean {
  const healthAt = (row: number) => Number(column.health?.[row] ?? 0);
  return healthAt(before) > health && (healthAt(at) === health || healthAt(after) === health);
}

function isInFlight(event: DemoEvent): boolean {
  return weaponsInFlight.has(bareWeaponName(textOf(event, "weapon")));
}

function isVictim({ steamId }: StateAround, event: DemoEvent): boolean {
  return steamId === textOf(event, "user_steamid");
}

/** Grenades and fire can hit long after they left the hand, even after the thrower's death; any other weapon is being held. */
function couldHaveHit(state: StateAround, event: DemoEvent): boolean {
  const weapon = bareWeaponName(textOf(event, "weapon"));
  if (isWeaponOfNobody(weapon)) return false;
  if (isVictim(state, event)) return isInFlight(event);
  const victim = sideOfTeamNumber(event.user_team_num);
  if (victim && victim === sideOf(state)) return false;
  if (isInFlight(event)) return true;
  return state.column.is_alive?.[state.before] === true && holds(state, weapon);
}

const weaponsInFlight = new Set([
  "hegrenade",
  "flashbang",
  "smokegrenade",
  "decoy",
  "molotov",
  "incgrenade",
  "inferno",
]);

/** @param weapon without `weapon_` */
function holds(state: StateAround, weapon: string): boolean {
  const isKnife = /knife|bayonet/;
  return [state.before, state.at].some((row) => {
    const definition = state.column.item_def_idx?.[row];
    const held = typeof definition === "number" ? weaponOfDefinition(definition) : null;
    return held !== null && (held === weapon || (isKnife.test(held) && isKnife.test(weapon)));
  });
}

function nameIn(event: DemoEvent, role: EventRole, state: StateAround): void {
  event[`${role}_steamid`] = state.steamId;
  event[`${role}_name`] = state.column.player_name?.[state.at] ?? null;
  // Within a packet, events come before the states they lead to.
  const row = event.event_name === "player_spawn" || state.before < 0 ? state.at : state.before;
  for (const field of eventPlayerFields) event[`${role}_${field}`] = state.column[field]?.[row] ?? null;
}
