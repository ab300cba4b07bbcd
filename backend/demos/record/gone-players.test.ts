import { expect, test } from "vitest";
import type { DemoEvent } from "./demo-events.ts";
import { goneInRounds } from "./gone-players.ts";

const anna = "76561199999900001";
const round = { freezeEndTick: 1000, endTick: 2000 };

const of = (event_name: string, tick: number, more: Record<string, unknown> = {}): DemoEvent => ({
  ...{ event_name, tick, user_name: "anna", user_steamid: anna },
  ...more,
});
const nameless = { user_name: null, user_steamid: null };
const left = of("player_disconnect", 500);
const isGone = (...events: DemoEvent[]) => goneInRounds(events, [round])[0]!.has(anna);

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

test("each round has those who were gone when it went live, whoever left or came back in another", () => {
  const later = { freezeEndTick: 3000, endTick: 4000 };
  const last = { freezeEndTick: 5000, endTick: 6000 };
  const inRounds = (...events: DemoEvent[]) => goneInRounds(events, [round, later, last]).map((gone) => gone.has(anna));
  expect(inRounds(of("player_disconnect", 1500))).toEqual([false, true, true]);
  expect(inRounds(left, of("weapon_fire", 3500))).toEqual([true, false, false]);
  expect(inRounds(left, of("weapon_fire", 3500), of("player_disconnect", 3600))).toEqual([true, false, true]);
});

test("many events and rounds take as long as going through them once or twice", () => {
  let asked = 0;
  const counted = (tick: number) =>
    Object.defineProperty(of("weapon_fire", tick), "event_name", {
      get() {
        asked++;
        return "weapon_fire";
      },
    });
  const rounds = Array.from({ length: 200 }, (_, index) => ({
    freezeEndTick: 100 * index + 50,
    endTick: 100 * index + 99,
  }));
  goneInRounds(
    [
      of("player_disconnect", 0, { user_steamid: "76561199999900002" }),
      ...Array.from({ length: 20_000 }, (_, tick) => counted(tick)),
    ],
    rounds,
  );
  expect(asked).toBeLessThan(10 * 20_000);
});
