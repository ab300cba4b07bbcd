import type { HighlightType } from "../../contract/highlight-types.ts";
import type { PlayerIndex } from "../../replay/match-record.ts";
import { lastStand } from "../../replay/round-lives.ts";
import { killMoment } from "./counted-kills.ts";
import type { FoundHighlight, HighlightMoment } from "./highlight.ts";
import { defuseMoment, defusesOf, type LiveRound } from "./live-round.ts";

const clutchTypes: Record<number, HighlightType> = {
  2: "clutch_1v2",
  3: "clutch_1v3",
  4: "clutch_1v4",
  5: "clutch_1v5",
};

/**
 * The player is the last one alive of their team while at least two opponents are alive, and the team wins the round.
 *
 * Evaluated once per tick, after everything in it, and on deaths of any cause, so that neither the order of a tick's events nor a missing
 * kill event changes the result.
 */
export function findClutches(live: LiveRound): FoundHighlight[] {
  const { record, round, lives } = live;
  const stand = round.winner === null ? null : lastStand(record, round, lives, round.winner);
  const type = stand && clutchTypes[stand.opponents];
  if (!type || stand.player === null) return [];
  const { player, tick: startTick } = stand;

  const kills = live.kills.filter((kill) => kill.attacker === player && kill.tick > startTick);
  const moments = [...kills.map((kill) => killMoment(kill, live.kills)), ...defuses(live, player, startTick)];
  moments.sort((a, b) => a.tick - b.tick);
  return [
    {
      type,
      round: round.number,
      player,
      moments,
      startTick,
      endTick: moments.at(-1)?.tick ?? round.endTick,
      victims: kills.map((kill) => kill.victim),
    },
  ];
}

function defuses(live: LiveRound, player: PlayerIndex, afterTick: number): HighlightMoment[] {
  return defusesOf(live)
    .filter((defuse) => defuse.player === player && defuse.tick > afterTick)
    .map(({ tick }) => defuseMoment(tick));
}
