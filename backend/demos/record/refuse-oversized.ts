import { demoLimits } from "../../../contract/limits.ts";
import type { MatchRecord } from "../../../replay/match-record.ts";
import { DemoImportError } from "../demo-import-error.ts";
import type { DemoEvent } from "./demo-events.ts";
import type { DemoFrames } from "./demo-frames.ts";

/** Kinds of events with a common limit, as the sentence names them. */
const countedKinds: readonly { what: string; limit: number; isOfKind: (event: DemoEvent) => boolean }[] = [
  {
    what: "rounds",
    limit: demoLimits.roundEvents,
    isOfKind: ({ event_name: name }) => name.startsWith("round_") || name === "cs_win_panel_match",
  },
  { what: "kills", limit: demoLimits.kills, isOfKind: ({ event_name: name }) => name === "player_death" },
  {
    what: "grenades",
    limit: demoLimits.grenadeEvents,
    isOfKind: ({ event_name: name, weapon }) =>
      name === "weapon_fire"
        ? /grenade|flashbang|molotov|decoy/.test(typeof weapon === "string" ? weapon.slice(0, 64) : "")
        : /^(smokegrenade|flashbang|hegrenade|inferno|decoy)_/.test(name),
  },
  {
    what: "plants and defuses",
    limit: demoLimits.bombEvents,
    isOfKind: ({ event_name: name }) => name.startsWith("bomb_"),
  },
];

/**
 * Checks the events of a demo before any other step: later ones take time quadratic in some counts, and trust the ticks.
 * @param events in any order
 * @throws DemoImportError `too_much` for more than any match has, `parser_failed` for ticks that no recording has
 */
export function refuseOversizedEvents(events: readonly DemoEvent[], { packetTicks }: DemoFrames): void {
  refuseMore("events", events.length, demoLimits.events);
  for (const { what, limit, isOfKind } of countedKinds) refuseMore(what, events.filter(isOfKind).length, limit);
  let first = packetTicks[0] ?? 0;
  let last = packetTicks.at(-1) ?? 0;
  for (const { tick } of events) {
    if (!Number.isInteger(tick)) throw impossibleTicks(tick, tick);
    first = Math.min(first, tick);
    last = Math.max(last, tick);
  }
  // -1 is the time before the first tick.
  if (first < -1 || last > demoLimits.lastTick || last - Math.max(first, 0) > demoLimits.ticks) {
    throw impossibleTicks(first, last);
  }
}

/**
 * Checks the record that was built from the events in the same way.
 * @throws DemoImportError `too_much`, and `parser_failed` for rounds that cannot follow one another
 */
export function refuseOversizedRecord({ players, rounds, kills, deaths }: MatchRecord): void {
  refuseMore("players", players.length, demoLimits.players);
  refuseMore("rounds", rounds.length, demoLimits.rounds);
  refuseMore("kills", Math.max(kills.length, deaths.length), 2 * demoLimits.kills);
  for (const [index, round] of rounds.entries()) {
    const ticks = [round.startTick, round.freezeEndTick, round.endTick, round.officialEndTick];
    const isInOrder = ticks.every((tick, at) => tick >= (ticks[at - 1] ?? rounds[index - 1]?.endTick ?? 0));
    const isNumbered = round.number > (rounds[index - 1]?.number ?? 0) && round.number <= demoLimits.roundEvents;
    if (!isInOrder || !isNumbered) throw impossibleTicks(round.startTick, round.officialEndTick);
  }
}

function refuseMore(what: string, count: number, limit: number): void {
  if (count <= limit) return;
  throw new DemoImportError("too_much", { what, limit: limit.toLocaleString("en-US") }, new Error(`${count} ${what}`));
}

function impossibleTicks(first: number, last: number): DemoImportError {
  return new DemoImportError("parser_failed", {}, new Error(`The ticks ${first} to ${last} are no recording's.`));
}
