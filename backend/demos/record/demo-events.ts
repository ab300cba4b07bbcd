import { knownWeapon } from "../../../contract/weapons.ts";
import type { Side } from "../../../replay/match-record.ts";

/** A game event as demoparser2 gives it: its own fields, and for every player in it `user_…`, `attacker_…`, `assister_…`. */
export type DemoEvent = { event_name: string; tick: number } & Record<string, unknown>;

/** The events the match record is made of. */
export const wantedEvents = [
  "begin_new_match",
  "bomb_abortdefuse",
  "bomb_abortplant",
  "bomb_begindefuse",
  "bomb_beginplant",
  "bomb_defused",
  "bomb_dropped",
  "bomb_exploded",
  "bomb_pickup",
  "bomb_planted",
  "cs_win_panel_match",
  "decoy_detonate",
  "decoy_started",
  "flashbang_detonate",
  "hegrenade_detonate",
  "inferno_expire",
  "inferno_startburn",
  "player_blind",
  "player_connect_full",
  "player_death",
  "player_disconnect",
  "player_hurt",
  "player_spawn",
  "player_team",
  "round_end",
  "round_freeze_end",
  "round_officially_ended",
  "round_start",
  "server_cvar",
  "smokegrenade_detonate",
  "smokegrenade_expired",
  "weapon_fire",
];

/** Fields asked for of every player in an event. */
export const eventPlayerFields = [
  "X",
  "Y",
  "Z",
  "yaw",
  "team_num",
  "is_controlling_bot",
  "last_place_name",
  "which_bomb_zone",
];

/** Not one of the parser's short names, so it is asked for by the game's own. */
export const overtimeField = "CCSGameRulesProxy.CCSGameRules.m_nOvertimePlaying";

/** Fields of the game rules and of both teams asked for with every event. */
export const eventGameFields = [
  "total_rounds_played",
  "is_warmup_period",
  "is_valve_dedicated_server",
  "team_rounds_total",
  "team_clan_name",
  overtimeField,
];

/** A demo can hold texts of megabytes in any field; no text that means something is longer. */
const maxEventTextLength = 512;

/** The beginning of a text field; "" where there is none. */
export function textOf(event: DemoEvent, field: string): string {
  const value = event[field];
  return typeof value === "string" ? value.slice(0, maxEventTextLength) : "";
}

/** Whom an event is about, in its fields. */
export type EventRole = "user" | "attacker" | "assister";

/**
 * Whether somebody was there whom the parser gives no name: it leaves out bots, and who came late. False where an event has no
 * such role.
 */
export function isNameless(event: DemoEvent, role: EventRole): boolean {
  const isInEvent = event[`${role}_name`] !== undefined;
  return isInEvent && !textOf(event, `${role}_name`) && !textOf(event, `${role}_steamid`);
}

/** The weapon of an event without `weapon_`, as the catalogue knows it; `unknown` for what it does not. */
export function weaponOf(event: DemoEvent): string {
  return knownWeapon(textOf(event, "weapon"));
}

export function numberOf(event: DemoEvent, field: string): number | null {
  const value = event[field];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function flagOf(event: DemoEvent, field: string): boolean {
  return event[field] === true;
}

/** The game's team numbers: 2 is T, 3 is CT; 0 is nobody yet, 1 spectators. */
export function sideOfTeamNumber(teamNumber: unknown): Side | null {
  return teamNumber === 2 ? "T" : teamNumber === 3 ? "CT" : null;
}

/** World position of a player in an event; null when the demo does not say. */
export function positionOf(event: DemoEvent, player: "user" | "attacker"): [number, number, number] | null {
  const x = numberOf(event, `${player}_X`);
  const y = numberOf(event, `${player}_Y`);
  const z = numberOf(event, `${player}_Z`);
  return x === null || y === null || z === null ? null : [x, y, z];
}
