import { hasHighlights, isLive, teamOnSide } from "./counted-kills.ts";
import type { FoundHighlight } from "./highlight.ts";
import type { LiveRound } from "./live-round.ts";
import { livingAfter } from "./lives.ts";

/** The bomb is defused while at least one terrorist is alive. */
export function findNinjaDefuses(live: LiveRound): FoundHighlight[] {
  const terrorists = teamOnSide(live.round, "T");
  return live.record.bomb.flatMap((event) => {
    const { tick, player } = event;
    if (event.kind !== "defused" || player === null || !isLive(live.round, tick)) return [];
    if (!hasHighlights(live.record, player) || livingAfter(live.lives, terrorists, tick).length === 0) return [];
    return [
      {
        type: "ninja_defuse",
        round: live.round.number,
        player,
        moments: [{ tick, kind: "defuse", weapon: "c4", flags: [], victim: null }],
        startTick: tick,
        endTick: tick,
        victims: [],
      },
    ];
  });
}
