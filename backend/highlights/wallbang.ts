import type { FoundHighlight } from "./highlight.ts";
import type { LiveRound } from "./live-round.ts";
import { findSpecialKills } from "./special-kills.ts";

/** The bullet went through something before it killed. */
export function findWallbangs(live: LiveRound): FoundHighlight[] {
  return findSpecialKills("wallbang", live, (kill) => kill.penetrated > 0);
}
