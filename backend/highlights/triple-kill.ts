import type { FoundHighlight } from "./highlight.ts";
import { killHighlight, type LiveRound } from "./live-round.ts";

/** Exactly three counted kills of a player in the round. */
export function findTripleKills(live: LiveRound): FoundHighlight[] {
  return live.killsByPlayer
    .filter(([, kills]) => kills.length === 3)
    .map(([, kills]) => killHighlight("triple_kill", live, kills));
}
