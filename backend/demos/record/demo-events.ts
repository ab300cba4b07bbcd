import { knownWeapon } from "../../../contract/weapons.ts";
import type { Side } from "../../../replay/match-record.ts";

/** A game event from demoparser2: its own fields, and for every player in it those with the prefix `user_`, `attacker_` or `assister_`. */
export type DemoEvent = { event_name: string; tick: number } & Record<string, unknown>;

/** The events from which the match record is built. */
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

/** Fields requested for every player in an event. */
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

/** The parser has no short name for this field, so it is requested by its name in the game. */
export const overtimeField = "CCSGameRulesProxy.CCSGameRules.m_nOvertimePlaying";

/** Fields of the game rules and of both teams, requested with every event. */
export const eventGameFields = [
  "total_rounds_played",
  "is_warmup_period",
  "is_valve_dedicated_server",
  "team_rounds_total",
  "team_clan_name",
  overtimeField,
];

/** A demo can contain texts of megabytes in any field; no meaningful text is longer than this. */
const maxEventTextLength = 512;

/** The beginning of a text field; "" if there is none. */
export function textOf(event: DemoEvent, field: string): string {
  const value = event[field];
  return typeof value === "string" ? value.slice(0, maxEventTextLength) : "";
}

/** Prefixes of players in event fields. */
export type EventRole = "user" | "attacker" | "assister";

/**
 * Whether an event has somebody in this role whom the parser does not name: a bot, or somebody who connected late. False if the event has
 * no such role.
 */
export function isNameless(event: DemoEvent, role: EventRole): boolean {
  const isInEvent = event[`${role}_name`] !== undefined;
  return isInEvent && !textOf(event, `${role}_name`) && !textOf(event, `${role}_steamid`);
}

/** The weapon of an event without `weapon_`, as named in the catalogue; `unknown` for others. */
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

/** The game's team numbers are 0 (nobody yet), 1 (spectators), 2 (T) and 3 (CT). */
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
