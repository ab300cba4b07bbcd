import type { FoundHighlight } from "./highlight.ts";
import type { LiveRound } from "./live-round.ts";
import { findSpecialKills } from "./special-kills.ts";

/** The bullet went through smoke. */
export function findThroughSmokes(live: LiveRound): FoundHighlight[] {
  return findSpecialKills("through_smoke", live, (kill) => kill.throughSmoke);
}
