import { expect, test } from "vitest";
import type { DemoEvent } from "./demo-events.ts";
import { goneAt } from "./gone-players.ts";

const anna = "76561199999900001";
const round = { freezeEndTick: 1000, endTick: 2000 };

const of = (event_name: string, tick: number, more: Record<string, unknown> = {}): DemoEvent => ({
  ...{ event_name, tick, user_name: "anna", user_steamid: anna },
  ...more,
});
const nameless = { user_name: null, user_steamid: null };
const left = of("player_disconnect", 500);
const isGone = (...events: DemoEvent[]) => goneAt(events, round).has(anna);

test("who left before a round went live is gone in it, until they are seen again", () => {
  expect(isGone(left)).toBe(true);
  expect(isGone(left, of("player_spawn", 900))).toBe(false);
  expect(isGone(left, of("weapon_fire", 1500))).toBe(false);
  expect(isGone(left, of("weapon_fire", 2001))).toBe(true);
  expect(isGone(of("player_disconnect", 1001))).toBe(false);
});

test("neither half time nor a grenade that goes off later brings anybody back", () => {
  expect(isGone(left, of("player_team", 900, { team: 2, oldteam: 3 }))).toBe(true);
  expect(isGone(left, of("smokegrenade_detonate", 510))).toBe(true);
});

test("where somebody came whom the demo does not name, nobody is known to be gone", () => {
  expect(isGone(left, of("player_connect_full", 900, nameless))).toBe(false);
  expect(isGone(left, of("player_team", 900, { ...nameless, isbot: true }))).toBe(true);
  expect(isGone(left, of("player_spawn", 900, nameless))).toBe(true);
});
