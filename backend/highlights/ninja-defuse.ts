import { livingAfter } from "../../replay/round-lives.ts";
import { hasHighlights, teamOnSide } from "./counted-kills.ts";
import type { FoundHighlight } from "./highlight.ts";
import { defuseMoment, defusesOf, type LiveRound } from "./live-round.ts";

/** The bomb is defused while at least one terrorist is alive. */
export function findNinjaDefuses(live: LiveRound): FoundHighlight[] {
  if (live.round.unclearLives) return [];
  const terrorists = teamOnSide(live.round, "T");
  return defusesOf(live)
    .filter(({ player }) => hasHighlights(live.record, player))
    .filter(({ tick }) => livingAfter(live.lives, terrorists, tick).length > 0)
    .map(({ tick, player }) => ({
      type: "ninja_defuse",
      round: live.round.number,
      player,
      moments: [defuseMoment(tick)],
      startTick: tick,
      endTick: tick,
      victims: [],
    }));
}
