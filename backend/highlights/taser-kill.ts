import type { FoundHighlight } from "./highlight.ts";
import type { LiveRound } from "./live-round.ts";
import { findSpecialKills } from "./special-kills.ts";

/** A kill with the Zeus. */
export function findTaserKills(live: LiveRound): FoundHighlight[] {
  return findSpecialKills("taser_kill", live, (kill) => kill.weapon === "taser");
}
